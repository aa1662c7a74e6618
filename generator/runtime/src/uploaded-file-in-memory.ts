/**
 * An uploaded file in memory. Its name and media type come from the caller and are not verified. The name contains no
 * folders.
 */
export type UploadedFile = File;
