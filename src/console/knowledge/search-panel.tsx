import { useState } from 'preact/hooks';
import type { KnowledgeBase, KnowledgeHit } from '../../client/api.generated.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import { highlight } from './highlight.ts';
import { isUnderway } from './training-status.ts';

const MAX_QUERY_CHARS = 2000;
const MAX_HITS = 10;
const KINDS = { faq: 'Question', file: 'File', url: 'Web page' } as const;

interface SearchPanelProps {
  readonly base: KnowledgeBase;
  /** Adds the question to the table of questions, to be answered. */
  readonly onAsk: (question: string) => void;
}

interface Found {
  readonly query: string;
  readonly hits: readonly KnowledgeHit[];
}

/** Searches the base as an assistant does in a call. */
export function SearchPanel({ base, onAsk }: SearchPanelProps) {
  const client = useClient();
  const [query, setQuery] = useState('');
  const [fault, setFault] = useState('');
  const [found, setFound] = useState<Found>();
  const search = useAction(async () => {
    const body = { query: query.trim(), limit: MAX_HITS };
    const { results } = await client.call('searchKnowledgeBase', { path: { id: base.id }, body });
    setFound({ query: body.query, hits: results });
  });
  return (
    <div class="stack">
      <form
        class="kb-search"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const isBlank = query.trim() === '';
          setFault(isBlank ? 'Enter a question.' : '');
          if (!isBlank) void search.run();
        }}
      >
        <TextField
          id="kb-query"
          label="Question of a caller"
          value={query}
          onChange={setQuery}
          error={fault}
          maxLength={MAX_QUERY_CHARS}
          autoFocus
        />
        <Button type="submit" kind="primary" icon="search" busy={search.busy}>
          Search
        </Button>
      </form>
      {isUnderway(base) && (
        <Callout>Training is running. Until it ends, the search uses the previous version.</Callout>
      )}
      {search.error !== undefined && (
        <ErrorState
          title="The search failed"
          error={search.error}
          onRetry={() => void search.run()}
        />
      )}
      <div aria-live="polite">{found && <Results found={found} onAsk={onAsk} />}</div>
    </div>
  );
}

function Results({
  found: { hits, query },
  onAsk,
}: Pick<SearchPanelProps, 'onAsk'> & { readonly found: Found }) {
  if (hits.length === 0)
    return (
      <EmptyState
        icon="search"
        title="No answer found"
        action={
          <Button icon="plus" onClick={() => onAsk(query)}>
            Add this question
          </Button>
        }
      >
        The assistant would say that it does not know. Add an answer, a file or a web page that has
        it.
      </EmptyState>
    );
  return (
    <ol id="hits" class="kb-hits" aria-label="Results, best first">
      {hits.map((hit, index) => (
        <Hit key={index} hit={hit} query={query} />
      ))}
    </ol>
  );
}

function Hit({ hit, query }: { readonly hit: KnowledgeHit; readonly query: string }) {
  const { source, score, text } = hit;
  const percent = `${Math.round(score * 100)} %`;
  return (
    <li class="card kb-hit">
      <div class="kb-hit-head">
        <Badge>{KINDS[source.type]}</Badge>
        <h2 class="kb-hit-title">
          {source.type === 'url' ? (
            <a href={source.id} target="_blank" rel="noopener noreferrer">
              <Marked text={source.title} query={query} />
            </a>
          ) : (
            <Marked text={source.title} query={query} />
          )}
        </h2>
        <span class="kb-score">
          <meter min={0} max={1} value={score} aria-label="Relevance" />
          <span class="numeric">{percent}</span>
        </span>
      </div>
      {(source.headings?.length || source.page !== undefined) && (
        <p class="help">
          {[...(source.headings ?? []), source.page && `page ${source.page}`]
            .filter(Boolean)
            .join(' › ')}
        </p>
      )}
      <p class="kb-passage">
        <Marked text={text} query={query} />
      </p>
    </li>
  );
}

function Marked({ text, query }: { readonly text: string; readonly query: string }) {
  return (
    <>
      {highlight(text, query).map((part, index) =>
        part.hit ? <mark key={index}>{part.text}</mark> : part.text,
      )}
    </>
  );
}
