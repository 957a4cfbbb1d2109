/** A form's value: JSON, never changed in place. */
export type Values = Readonly<Record<string, unknown>>;

/** The value at a dotted path; undefined if there is none. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value;
  for (const step of path.split('.')) {
    if (typeof here !== 'object' || here === null) return undefined;
    here = (here as Values)[step];
  }
  return here;
}

/** A copy with another value at the path; `undefined` removes the value. */
export function withValueAt<T>(value: T, path: string, next: unknown): T {
  const [step = '', ...rest] = path.split('.');
  const inner =
    rest.length === 0
      ? next
      : withValueAt((value as Values | undefined)?.[step], rest.join('.'), next);
  if (Array.isArray(value)) return value.map((item, i) => (String(i) === step ? inner : item)) as T;
  const { [step]: _old, ...others } = (value ?? {}) as Values;
  if (inner === undefined) return others as T;
  // Existing keys keep their position, so that lists on the page keep their order.
  return (
    step in ((value ?? {}) as Values) ? { ...value, [step]: inner } : { ...others, [step]: inner }
  ) as T;
}

/** True if two JSON values are equal. */
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
