/** Saves a file through the browser's download. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Keep the URL until the download has begun.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
