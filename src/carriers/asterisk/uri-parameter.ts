/**
 * A value of `v(name=value)` in the data of a WebSocket channel. Asterisk takes letters, digits, `.`, `_`, `-` and
 * percent escapes; `encodeURIComponent` leaves more than that, and Asterisk refuses the whole channel for it.
 */
export function uriParameter(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
