/** A map instead of an object, because words like "constructor" are looked up too. */
function table(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(';').map((entry) => entry.trim().split('=') as [string, string]));
}

/** The unit of an amount of money. */
export interface Currency {
  readonly one: string;
  readonly many: string;
  readonly cents: string;
}

export const CURRENCIES: Readonly<Record<string, Currency>> = {
  $: { one: 'dollar', many: 'dollars', cents: 'cents' },
  '€': { one: 'euro', many: 'euros', cents: 'cents' },
  '£': { one: 'pound', many: 'pounds', cents: 'pence' },
  '¥': { one: 'yen', many: 'yen', cents: 'sen' },
};

/** Signs that are spoken in place. */
export const SIGNS: ReadonlyMap<string, string> = new Map([
  ['&', 'and'],
  ['+', 'plus'],
  ['=', 'equals'],
  ['@', 'at'],
  ['%', 'percent'],
  ['#', 'number'],
  ['°', 'degrees'],
  ['×', 'times'],
  ['÷', 'divided by'],
  ['<', 'less than'],
  ['>', 'greater than'],
  ['$', 'dollars'],
  ['€', 'euros'],
  ['£', 'pounds'],
  ['¥', 'yen'],
]);

/** Signs within an address, where every sign is spoken. */
export const ADDRESS_SIGNS: ReadonlyMap<string, string> = new Map([
  ['@', 'at'],
  ['.', 'dot'],
  ['/', 'slash'],
  ['?', 'question mark'],
  ['=', 'equals'],
  ['&', 'and'],
  ['_', 'underscore'],
  [':', 'colon'],
  ['#', 'hash'],
  ['+', 'plus'],
  ['~', 'tilde'],
  ['-', 'dash'],
]);

/** Units, by their written form after a number. */
export const UNITS = table(`
  km=kilometers; cm=centimeters; mm=millimeters; m=meters; mi=miles; ft=feet; kg=kilograms;
  mg=milligrams; g=grams; lb=pounds; lbs=pounds; oz=ounces; l=liters; ml=milliliters; h=hours;
  hr=hours; hrs=hours; min=minutes; mins=minutes; sec=seconds; s=seconds; ms=milliseconds;
  kb=kilobytes; mb=megabytes; gb=gigabytes; tb=terabytes; mph=miles per hour;
  km/h=kilometers per hour; kwh=kilowatt hours; kw=kilowatts; w=watts; °c=degrees celsius;
  °f=degrees fahrenheit; °=degrees; k=thousand; x=times
`);

/** Abbreviations, including the full stop. */
export const ABBREVIATIONS = table(`
  mr.=mister; mrs.=missis; ms.=miz; dr.=doctor; prof.=professor; ave.=avenue; rd.=road;
  blvd.=boulevard; apt.=apartment; tel.=telephone; e.g.=for example; i.e.=that is;
  etc.=et cetera; vs.=versus; vs=versus; approx.=approximately; dept.=department;
  inc.=incorporated; ltd.=limited; corp.=corporation; hrs.=hours; sept.=september;
  a.m.=ay em; p.m.=pea em; jr.=junior; sr.=senior
`);

/** Abbreviations that are also words: they are expanded only when capitalised. */
export const CAPITAL_ABBREVIATIONS = table(`
  Jan.=january; Feb.=february; Mar.=march; Apr.=april; Aug.=august; Sep.=september;
  Oct.=october; Nov.=november; Dec.=december; Mon.=monday; Tue.=tuesday; Wed.=wednesday;
  Thu.=thursday; Fri.=friday; Sat.=saturday; Sun.=sunday; Co.=company
`);

export const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** Words in capitals that are read letter by letter although they could be pronounced. */
export const SPELLED: ReadonlySet<string> = new Set(
  'faq faqs usa uk eu us id pdf url api sms vat ceo gps atm tv pc ai it hr vip diy eta'.split(' '),
);
