import type { KnowledgeBase, UnansweredQuestion } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { faultText } from '../ui/fault-text.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { RelativeTime } from '../ui/relative-time.tsx';
import { showToast } from '../ui/toasts.tsx';
import { useAction } from '../use-action.ts';
import { useLoad } from '../use-load.ts';

const DAYS = 90;
const WORDINGS_SHOWN = 3;

interface UnansweredPanelProps {
  readonly base: KnowledgeBase;
  /** Adds the question to the table of questions, to be answered. */
  readonly onAnswer: (question: string) => void;
}

/** Questions of callers that the base has no answer to, each with a button that makes it an FAQ entry. */
export function UnansweredPanel({ base: { id }, onAnswer }: UnansweredPanelProps) {
  const client = useClient();
  const { data, error, reload } = useLoad(
    (signal) =>
      client.call('getKnowledgeCoverage', { path: { id }, query: { days: DAYS }, signal }),
    [client, id],
  );
  const dismiss = useAction(async ({ wordings }: UnansweredQuestion) => {
    try {
      await client.call('dismissUnansweredQuestions', {
        path: { id },
        body: { questions: wordings },
      });
    } catch (fault) {
      showToast(faultText(fault), 'bad');
      throw fault;
    } finally {
      reload();
    }
  });
  if (!data && error !== undefined)
    return <ErrorState title="The questions could not be loaded" error={error} onRetry={reload} />;
  if (data?.asked === 0)
    return (
      <EmptyState icon="knowledge" title="Nothing was asked yet">
        Questions that the knowledge base could not answer appear here after each call.
      </EmptyState>
    );
  return (
    <div class="stack">
      {data && (
        <p class="soft" id="coverage">
          {data.answered} of {data.asked} questions in calls of the last {DAYS} days found an
          answer.
        </p>
      )}
      <DataTable
        id="unanswered"
        label="Questions without an answer, the most frequent first"
        rows={data?.unanswered}
        rowKey={({ question }) => question}
        empty={
          <EmptyState icon="check" title="Every question has an answer">
            All questions without an answer have been answered or dismissed.
          </EmptyState>
        }
        columns={[
          { title: 'Question', cell: (row) => <Wordings row={row} /> },
          { title: 'Asked', end: true, cell: ({ count }) => <span class="numeric">{count}</span> },
          { title: 'Last asked', cell: ({ lastAskedAt }) => <RelativeTime at={lastAskedAt} /> },
          {
            title: '',
            cell: (row) => (
              <div class="row">
                <Button
                  small
                  icon="plus"
                  aria-label={`Answer “${row.question}”`}
                  onClick={() => onAnswer(row.question)}
                >
                  Answer
                </Button>
                <LinkButton small kind="quiet" href={`/calls/${row.lastCallId}?tab=tools`}>
                  Last call
                </LinkButton>
                <Button
                  small
                  kind="quiet"
                  busy={dismiss.busy}
                  aria-label={`Dismiss “${row.question}”`}
                  onClick={() => dismiss.run(row)}
                >
                  Dismiss
                </Button>
              </div>
            ),
          },
        ]}
      />
    </div>
  );
}

function Wordings({ row: { question, wordings } }: { readonly row: UnansweredQuestion }) {
  const others = wordings.slice(1);
  const more = others.length - WORDINGS_SHOWN;
  return (
    <>
      {question}
      {others.length > 0 && (
        <p class="help">
          Also: {others.slice(0, WORDINGS_SHOWN).join(' · ')}
          {more > 0 && ` and ${more} more`}
        </p>
      )}
    </>
  );
}
