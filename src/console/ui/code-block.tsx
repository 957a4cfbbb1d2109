import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  /** What it is, for the ear. */
  readonly label: string;
  readonly text: string;
  /** Long lines are broken instead of scrolled. */
  readonly wrap?: boolean;
}

/** Code or data as it is, to read and to copy. */
export function CodeBlock({ label, text, wrap }: CodeBlockProps) {
  return (
    <div class="code-block" data-wrap={wrap || undefined}>
      <section aria-label={label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} />
    </div>
  );
}
