import { Button } from './button.tsx';
import { faultText } from './fault-text.ts';

interface ErrorStateProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Shows why data could not be loaded, with a button to retry. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  return (
    <div class="error-state" role="alert">
      <p>
        <strong>{title}.</strong> {faultText(error)}
      </p>
      {onRetry && (
        <Button icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
