import { fileTypeFromBuffer } from 'file-type';
import { FILE_FORMATS, type FileFormat } from '../../contract/file.ts';
import { extensionOf, formatOfExtension, formatsOfType } from '../formats.ts';
import { decodeText } from './decode-text.ts';
import { UnreadableError } from './unreadable-error.ts';

/** The name and type of an uploaded file. */
export interface SentFile {
  readonly name: string;
  /** The declared content type; empty if there is none. */
  readonly declaredType: string;
}

const PDF_MARK_WITHIN_BYTES = 1024;
const SUPPORTED = `Supported: ${FILE_FORMATS.join(', ')}.`;

/** Detects a file's format by its content. Throws {@link UnreadableError} if name or declared type contradict it. */
export async function detectFormat(bytes: Uint8Array, sent: SentFile): Promise<FileFormat> {
  if (bytes.length === 0) throw new UnreadableError('The file is empty.');
  const content = await contentOf(bytes);
  const extension = extensionOf(sent.name);
  const named = formatOfExtension(extension);
  if (extension !== '' && named === undefined)
    throw new UnreadableError(`Files named .${extension} are not supported. ${SUPPORTED}`);
  const declared = formatsOfType(sent.declaredType);
  if (declared !== 'any' && declared.length === 0)
    throw new UnreadableError(`Files of type ${sent.declaredType} are not supported. ${SUPPORTED}`);

  const format = named ?? (declared === 'any' ? undefined : declared.find(content.fits));
  if (format === undefined) {
    if (declared === 'any') return content.format;
    throw contradiction(`declared as ${sent.declaredType}`, content);
  }
  if (!content.fits(format)) throw contradiction(`named .${extension || format}`, content);
  if (declared !== 'any' && !declared.includes(format) && !declared.some(content.fits))
    throw contradiction(`declared as ${sent.declaredType}`, content);
  return format;
}

function contradiction(claim: string, { name }: Content): UnreadableError {
  return new UnreadableError(`The file is ${claim}, but its content is ${name}.`);
}

interface Content {
  /** The name in messages. */
  readonly name: string;
  /** The format to assume if name and declared type tell nothing. */
  readonly format: FileFormat;
  readonly fits: (format: FileFormat) => boolean;
}

async function contentOf(bytes: Uint8Array): Promise<Content> {
  if (Buffer.from(bytes.subarray(0, PDF_MARK_WITHIN_BYTES)).includes('%PDF-'))
    return only('pdf', 'PDF');
  const type = await fileTypeFromBuffer(bytes);
  if (type?.ext === 'docx') return only('docx', 'a Word document');
  const text = decodeText(bytes);
  if (text !== undefined && type?.ext !== 'rtf') return textContent(text);
  const what = type ? `${type.ext} (${type.mime})` : 'not text';
  return { name: what, format: 'txt', fits: () => false };
}

const only = (format: FileFormat, name: string): Content => ({
  name,
  format,
  fits: (other) => other === format,
});

const HTML = /<!doctype\s+html|<html[\s>]|<(?:head|body|div|p|h[1-6]|table|ul|ol|span|a)[\s>]/i;
const HTML_START = /^(?:<!doctype\s+html|<html[\s>])/i;
const XML_START = /^\s*(?:<\?xml\s|<!--|<!DOCTYPE\s|<[A-Za-z_][\w:.-]*[\s/>])/;
const START_CHARS = 64 * 1024;

function textContent(text: string): Content {
  const start = text.slice(0, START_CHARS);
  const json = /^\s*[[{]/.test(start) && isJson(text);
  const html = HTML_START.test(afterComments(start));
  const xml = !html && XML_START.test(start);
  const kind = json ? 'json' : html ? 'html' : xml ? 'xml' : 'txt';
  const names = { json: 'JSON', html: 'HTML', xml: 'XML', txt: 'plain text' } as const;
  const fits = (format: FileFormat): boolean => {
    switch (format) {
      case 'pdf':
      case 'docx':
        return false;
      case 'json':
        return json || /^\s*[[{"\d\-tfn]/.test(start);
      case 'html':
        return !json && HTML.test(start);
      case 'xml':
        return xml || html;
      case 'csv':
      case 'tsv':
        return kind === 'txt';
      case 'yaml':
        return kind === 'txt' || kind === 'json';
      default:
        return true;
    }
  };
  return { name: names[kind], format: kind, fits };
}

/** The text without leading blanks and comments. Linear in time: no backtracking. */
function afterComments(text: string): string {
  let rest = text.trimStart();
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4);
    if (end < 0) return '';
    rest = rest.slice(end + 3).trimStart();
  }
  return rest;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
