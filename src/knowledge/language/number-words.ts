const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** Numbers below a hundred as digits, as a recogniser may write either: "sixty six" and "66". */
export function withDigits(words: readonly string[]): string[] {
  const digits: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    const ten = TENS.indexOf(word);
    const unit = UNITS.indexOf(word);
    const next = UNITS.indexOf(words[i + 1] ?? '');
    if (ten >= 0 && next > 0 && next < 10) {
      digits.push(`${(ten + 2) * 10 + next}`);
      i++;
    } else if (ten >= 0) digits.push(`${(ten + 2) * 10}`);
    // "one" is a pronoun more often than a number.
    else digits.push(unit > 1 ? `${unit}` : word);
  }
  return digits;
}
