// What an application says that it can; also told over its websocket.
export const uploadBytesMax = 100 * 1024 * 1024;

export const features = { supports_preview_metadata: true, max_upload_size: uploadBytesMax };
