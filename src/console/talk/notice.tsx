import { Button } from '../ui/button.tsx';
import type { Explanation } from './explain.ts';

interface NoticeProps {
  readonly message: Explanation | undefined;
  readonly onClose: () => void;
}

/** A message over the page: what went wrong and what the user can do. */
export function Notice({ message, onClose }: NoticeProps) {
  return (
    <div id="notice" class="notice" role="alert" data-shown={message ? 'true' : undefined}>
      {message && (
        <>
          <div>
            <strong>{message.title}</strong>
            <span>{message.text}</span>
          </div>
          <Button
            kind="quiet"
            small
            icon="close"
            aria-label="Close this message"
            onClick={onClose}
          />
        </>
      )}
    </div>
  );
}
