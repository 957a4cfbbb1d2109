import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  /** Label for screen readers. */
  readonly label: string;
  readonly text: string;
  /** Wraps long lines instead of scrolling. */
  readonly wrap?: boolean;
}

/** Code or data to read and copy. */
export function CodeBlock({ label, text, wrap }: CodeBlockProps) {
  return (
    <div class="code-block" data-wrap={wrap || undefined}>
      <section aria-label={label}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} />
    </div>
  );
}
