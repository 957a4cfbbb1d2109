import { useState } from 'preact/hooks';
import type { Call } from '../../client/api.generated.ts';
import { fieldFaults } from '../field-faults.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Moment } from '../ui/moment.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';

interface ReviewBarProps {
  readonly call: Call;
  readonly onChanged: () => void;
}

/** Whether somebody has looked at the call, and its tags. */
export function ReviewBar({ call, onChanged }: ReviewBarProps) {
  const { id, review, tags = [] } = call;
  const client = useClient();
  const [tag, setTag] = useState('');
  const mark = useAction(async (body: { reviewed?: boolean; tags?: string[] }) => {
    await client.call('markCall', { path: { id }, body });
    onChanged();
  });
  const add = async (): Promise<void> => {
    const wanted = tag.trim();
    if (wanted !== '' && (await mark.run({ tags: [...tags, wanted] }))) setTag('');
  };
  const fault = mark.error === undefined ? undefined : faultOf(mark.error);
  return (
    <div class="review-bar">
      <Button
        icon="check"
        aria-pressed={review !== undefined}
        onClick={() => mark.run({ reviewed: review === undefined })}
      >
        {review ? 'Reviewed' : 'Mark as reviewed'}
      </Button>
      {review && (
        <span class="soft">
          by {review.by}, <Moment at={review.at} />
        </span>
      )}
      {tags.length > 0 && (
        <ul class="review-tags" aria-label="Tags">
          {tags.map((each) => (
            <li key={each} class="badge">
              {each}
              <Button
                kind="quiet"
                icon="close"
                small
                aria-label={`Remove the tag ${each}`}
                onClick={() => mark.run({ tags: tags.filter((other) => other !== each) })}
              />
            </li>
          ))}
        </ul>
      )}
      <form
        class="review-add"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <TextField
          id="new-tag"
          label="New tag"
          value={tag}
          onChange={setTag}
          maxLength={50}
          {...(fault === undefined ? {} : { error: fault })}
        />
        <Button type="submit" small disabled={tag.trim() === ''}>
          Add tag
        </Button>
      </form>
    </div>
  );
}

const faultOf = (error: unknown): string =>
  Object.values(fieldFaults(error))[0] ?? faultText(error);
