/** A file of a call, in memory. Its name and media type are what the caller claims; the name has no folders. */
export type UploadedFile = File;
