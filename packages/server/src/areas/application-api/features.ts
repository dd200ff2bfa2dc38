// The features that an application reports, also over its websocket.
export const uploadBytesMax = 100 * 1024 * 1024;

export const features = { supports_preview_metadata: true, max_upload_size: uploadBytesMax };
