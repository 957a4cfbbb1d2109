import { deflateRawSync } from 'node:zlib';

/** A zip archive, whose announced sizes may be lies. */
function zipOf(
  entries: readonly { readonly name: string; readonly data: Buffer; readonly announced?: number }[],
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, announced = data.length } of entries) {
    const packed = deflateRawSync(data, { level: 9 });
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(20, 4);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(announced, 22);
    head.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt16LE(8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(announced, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    parts.push(head, Buffer.from(name), packed);
    directory.push(central, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const tail = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(tail.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, tail, end]);
}

const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const xml = (text: string) => Buffer.from(`<?xml version="1.0"?>${text}`);
const relations = (...parts: readonly (readonly [type: string, target: string])[]) =>
  xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${parts
      .map(
        ([type, target]) =>
          `<Relationship Id="${type}" Type="${OFFICE}/${type}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`,
  );

const TYPES = xml(
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/><Override PartName="/word/numbering.xml" ContentType="${WORD}.numbering+xml"/></Types>`,
);
const NUMBERING = xml(
  `<w:numbering ${NAMESPACE}><w:abstractNum w:abstractNumId="0">${[0, 1]
    .map((level) => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="bullet"/></w:lvl>`)
    .join(
      '',
    )}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
);

/**
 * A Word document.
 *
 * @param body its `w:body` in XML, or all bytes of its main part
 * @param announced the size that the archive claims for that part
 */
export function docx(body: string | Buffer, announced?: number): Buffer {
  const data =
    typeof body === 'string'
      ? xml(`<w:document ${NAMESPACE}><w:body>${body}</w:body></w:document>`)
      : body;
  return zipOf([
    { name: '[Content_Types].xml', data: TYPES },
    { name: '_rels/.rels', data: relations(['officeDocument', 'word/document.xml']) },
    { name: 'word/document.xml', data, ...(announced ? { announced } : {}) },
    { name: 'word/_rels/document.xml.rels', data: relations(['numbering', 'numbering.xml']) },
    { name: 'word/numbering.xml', data: NUMBERING },
  ]);
}

/** A paragraph; with a level from 0, an item of a list. */
export function wordParagraph(text: string, level?: number): string {
  const list =
    level === undefined
      ? ''
      : `<w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr>`;
  return `<w:p>${list}<w:r><w:t>${text}</w:t></w:r></w:p>`;
}
