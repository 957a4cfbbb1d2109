const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = ['', ' thousand', ' million', ' billion'];
const ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

function underThousand(n: number): string {
  if (n < 20) return ONES[n] as string;
  if (n < 100) {
    const ones = n % 10 === 0 ? '' : ` ${ONES[n % 10]}`;
    return `${TENS[Math.floor(n / 10)]}${ones}`;
  }
  const rest = n % 100 === 0 ? '' : ` ${underThousand(n % 100)}`;
  return `${ONES[Math.floor(n / 100)]} hundred${rest}`;
}

/** 417 -> "four hundred seventeen". */
function cardinal(n: number): string {
  if (n < 1000) return underThousand(n);
  const groups: string[] = [];
  for (let rest = n, scale = 0; rest > 0; rest = Math.floor(rest / 1000), scale++) {
    if (rest % 1000 > 0) groups.unshift(`${underThousand(rest % 1000)}${SCALES[scale]}`);
  }
  return groups.join(' ');
}

/** Reads each digit separately. */
export function digitWords(digits: string): string {
  return [...digits].map((digit) => ONES[Number(digit)]).join(' ');
}

/** A whole number; digit by digit if it is too long for a quantity or begins with 0. */
export function wholeNumberWords(digits: string): string {
  const isCode = digits.length > 9 || (digits.length > 1 && digits.startsWith('0'));
  return isCode ? digitWords(digits) : cardinal(Number(digits));
}

/** Digits with an optional fraction: "3.05" -> "three point zero five". */
export function numberWords(text: string): string {
  const [whole, fraction] = text.replaceAll(',', '').split('.');
  const words = wholeNumberWords(whole || '0');
  return fraction ? `${words} point ${digitWords(fraction)}` : words;
}

/** 1st, 22nd, 30th. */
export function ordinalWords(digits: string): string {
  const words = wholeNumberWords(digits).split(' ');
  const last = words.pop() ?? '';
  const ordinal = ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  return [...words, ordinal].join(' ');
}

/** 1984 -> "nineteen eighty four", 2005 -> "two thousand five". */
export function yearWords(digits: string): string {
  const year = Number(digits);
  const century = Math.floor(year / 100);
  const rest = year % 100;
  if (rest === 0) return century % 10 === 0 ? cardinal(year) : `${cardinal(century)} hundred`;
  if (century % 10 === 0 && rest < 10) return cardinal(year);
  return `${cardinal(century)} ${rest < 10 ? `oh ${ONES[rest]}` : cardinal(rest)}`;
}
