// The features that an application reports, also over its websocket.
export const uploadBytesMax = 100 * 1024 * 1024;

// No sign-in of others: people are signed in to this server, and their workspace pays for priced nodes, which the editor would
// otherwise hold back.
export const features = {
  supports_preview_metadata: true,
  max_upload_size: uploadBytesMax,
  show_signin_button: false,
  partner_run_gate_enabled: false,
};
