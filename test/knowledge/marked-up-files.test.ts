import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/knowledge/reading/read-markdown.ts';
import { readXml } from '../../src/knowledge/reading/read-xml.ts';

const row = (text: string) => ({ kind: 'row', text });
const paragraph = (text: string) => ({ kind: 'paragraph', text });

describe('Markdown', () => {
  const read = (...lines: readonly string[]) => [...readMarkdown(lines.join('\n'))];

  test('headings have their level, and what stands before the first --- is no text', () => {
    expect(
      read('---', 'title: Opening', '---', '# Hours', '', 'From nine.', '', '## Holidays', '***'),
    ).toEqual([
      { kind: 'heading', level: 1, text: 'Hours' },
      paragraph('From nine.'),
      { kind: 'heading', level: 2, text: 'Holidays' },
    ]);
  });

  test('a row of a table names its columns', () => {
    expect(
      read('| Bicycle | Price |', '| --- | --- |', '| **Wren** | 400 euros |', '| Finch | |'),
    ).toEqual([row('Bicycle: Wren; Price: 400 euros'), row('Bicycle: Finch')]);
  });

  test('quotes, code and HTML are read as what stands in them', () => {
    expect(
      read(
        ...['> Ask before you ride.', '>', '> - Twice', ''],
        ...['```sh', 'npm start', '```', ''],
        ...['<div><h3>Repairs</h3><p>On Tuesdays</p></div>', ''],
        ...['[shop]: https://shop.example'],
      ),
    ).toEqual([
      paragraph('Ask before you ride.'),
      { ...row('Twice'), list: 'item' },
      paragraph('npm start'),
      { kind: 'heading', level: 3, text: 'Repairs' },
      paragraph('On Tuesdays'),
    ]);
  });

  test('of a link the text is read, of a picture its description, of marks nothing', () => {
    expect(
      read(
        'See [the *list*](https://shop.example/list) and ![a red bicycle](red.png), <b>bold</b>  ',
        'and `tar -x` &amp; "AT&T"',
      ),
    ).toEqual([paragraph('See the list and a red bicycle, bold and tar -x & "AT&T"')]);
  });

  test('an item is one row, and the lists in it go on with it, however deep', () => {
    expect(
      read('1. First', '   in two lines', '   - inner', '     - innermost', '2. Second'),
    ).toEqual([
      { ...row('First in two lines'), list: 'item' },
      { ...row('inner'), list: 'rest' },
      { ...row('innermost'), list: 'rest' },
      { ...row('Second'), list: 'item' },
    ]);
  });
});

describe('XML', () => {
  const read = (text: string) => [...readXml(text)];

  test('each element with values is a row, with its attributes and the children that are only text', () => {
    expect(
      read(
        `<?xml version="1.0"?><!-- bikes -->
        <shop xmlns="urn:shop" name="Elm Street">
          <bike id="7"><model lang="en">Wren</model><price currency="EUR">400</price>
            <parts><part>Bell</part><part/></parts>
          </bike>
          <note>Closed <![CDATA[on <Sundays> & ]]>holidays</note>
        </shop>`,
      ),
    ).toEqual([
      row('name: Elm Street; note: Closed on <Sundays> & holidays'),
      row('id: 7; model: Wren en; price: 400 EUR'),
      row('part: Bell'),
    ]);
  });

  test.each(['', 'no element', '<!-- nothing -->'])('%j is refused', (text) => {
    expect(() => read(text)).toThrow('The file is not valid XML: it has no element.');
  });
});
