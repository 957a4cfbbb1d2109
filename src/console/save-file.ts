/** Hands a file to the browser to be kept, under a name. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; until it has, the address must stand.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
