/** A line of a CSV file (RFC 4180). */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

/** A program for tables would run what begins like a formula. Numbers are no formulas. */
function cell(value: string | number | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = (value ?? '').replace(/^(?=\s*[=+\-@\t\r])/, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
