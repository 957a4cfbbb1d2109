/** A PDF of one page, whose content stream is given. */
export function pdf(stream: Buffer, filters = '/FlateDecode'): Buffer {
  const objects = [
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from(
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    ),
    Buffer.concat([
      Buffer.from(`<</Length ${stream.length}/Filter ${filters}>>\nstream\n`),
      stream,
      Buffer.from('\nendstream'),
    ]),
    Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'),
  ];
  let body = Buffer.from('%PDF-1.4\n');
  const offsets: number[] = [];
  for (const [i, object] of objects.entries()) {
    offsets.push(body.length);
    body = Buffer.concat([
      body,
      Buffer.from(`${i + 1} 0 obj\n`),
      object,
      Buffer.from('\nendobj\n'),
    ]);
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const tail = `xref\n0 6\n0000000000 65535 f \n${rows}trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.concat([body, Buffer.from(tail)]);
}

/** A line of text at a place of a page, in a content stream. */
export function shownAt(text: string, left: number, y: number): string {
  return `BT /F 12 Tf ${left} ${y} Td (${text}) Tj ET\n`;
}
