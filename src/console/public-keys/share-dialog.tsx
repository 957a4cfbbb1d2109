import type { PublicKey } from '../../client/api.generated.ts';
import { BASE_URL } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface ShareDialogProps {
  readonly of: PublicKey;
  readonly onClose: () => void;
}

/** The code for a page of one of the key's sites, and the link of the demo page. */
export function ShareDialog({ of: { name, key, origins, demoUrl }, onClose }: ShareDialogProps) {
  return (
    <Dialog
      title={`Use “${name}”`}
      shape="wide"
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack shown-once">
        {origins.length > 0 && (
          <>
            <p>Put this into the pages of {origins.join(', ')}, where the button should appear:</p>
            <div id="public-key-code">
              <CodeBlock label="Code for the page" text={codeOf(key)} wrap />
            </div>
          </>
        )}
        {demoUrl ? (
          <>
            <p>
              Anyone with <a href={demoUrl}>the link of the demo page</a> can talk to the assistant,
              without signing in:
            </p>
            <div id="public-key-demo">
              <CodeBlock label="Link of the demo page" text={demoUrl} wrap />
            </div>
          </>
        ) : (
          <p class="soft">
            The demo page may not use this key. Change the key to have a link to share.
          </p>
        )}
      </div>
    </Dialog>
  );
}

const codeOf = (
  key: string,
) => `<script type="module" src="${BASE_URL}widget/parley-call.js"></script>
<parley-call public-key="${key}" label="Talk to us"></parley-call>`;
