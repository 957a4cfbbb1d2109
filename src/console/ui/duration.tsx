/** A duration as on a clock: 0:07, 12:30, 1:02:03. */
export function Duration({ seconds }: { readonly seconds: number }) {
  const whole = Math.max(0, Math.round(seconds));
  return (
    <time class="numeric" dateTime={`PT${whole}S`}>
      {clockText(whole)}
    </time>
  );
}

/** The same as text. */
export function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const rest = two(Math.floor(seconds) % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
