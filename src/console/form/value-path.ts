/** What a form holds: JSON, never changed in place. */
export type Values = Readonly<Record<string, unknown>>;

/** What stands at the end of a dotted path, if anything. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value;
  for (const step of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Values)[step];
  }
  return here;
}

/** The same with another value at the end of the path; `undefined` takes away what was there. */
export function withValueAt<T>(value: T, path: string, next: unknown): T {
  const [step = '', ...rest] = path.split('.');
  const inner =
    rest.length === 0
      ? next
      : withValueAt((value as Values | undefined)?.[step], rest.join('.'), next);
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === step ? inner : item)) as T;
  const { [step]: _old, ...others } = (value ?? {}) as Values;
  if (inner === undefined) return others as T;
  // Where it stood, it stays: what is shown keeps its order.
  return (
    step in ((value ?? {}) as Values) ? { ...value, [step]: inner } : { ...others, [step]: inner }
  ) as T;
}

/** Whether two JSON values say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSame((one as Values)[name], (other as Values)[name]))
  );
}
