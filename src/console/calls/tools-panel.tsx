import { Badge } from '../ui/badge.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { clockText } from '../ui/duration.tsx';
import { spanText } from './call-names.ts';
import type { ToolUse } from './call-timeline.ts';
import type { Player } from './player.ts';
import { toolSources } from './tool-sources.ts';

interface ToolsPanelProps {
  readonly tools: readonly ToolUse[];
  readonly player: Player;
}

/** Every tool call: arguments, result and duration. */
export function ToolsPanel({ tools, player }: ToolsPanelProps) {
  if (tools.length === 0) return <p class="help">The assistant called no tools in this call.</p>;
  return (
    <ol class="tool-uses" aria-label="Tool calls">
      {tools.map((use) => (
        <li key={use.id} class="tool-use">
          <div class="row">
            <h2 class="call-title">{use.name}</h2>
            <ToolState use={use} />
            <button
              type="button"
              class="call-line-time numeric"
              aria-label={`Go to ${clockText(use.atMs / 1000)}, ${use.name}`}
              onClick={() => player.seek(use.atMs)}
            >
              {clockText(use.atMs / 1000)}
            </button>
            {use.doneMs !== undefined && (
              <span class="soft numeric">took {spanText(use.doneMs - use.atMs)}</span>
            )}
          </div>
          <Shown use={use} label="Arguments" text={JSON.stringify(use.arguments, null, 2)} />
          {use.name === 'knowledgeBase' && <Sources result={use.result} />}
          {use.result !== undefined && <Shown use={use} label="Result" text={pretty(use.result)} />}
          {use.error !== undefined && <Shown use={use} label="Error" text={use.error} />}
        </li>
      ))}
    </ol>
  );
}

function Sources({ result = '' }: { readonly result?: string | undefined }) {
  const sources = toolSources(result);
  if (sources.length === 0) return null;
  return (
    <ul class="tool-sources" aria-label="Sources, best first">
      {sources.map(({ document, place, score }, index) => (
        <li key={index}>
          {document}
          {place !== '' && <span class="soft"> · {place}</span>}{' '}
          <span class="soft numeric">{Math.round(100 * score)} %</span>
        </li>
      ))}
    </ul>
  );
}

interface ShownProps {
  readonly use: ToolUse;
  readonly label: string;
  readonly text: string;
}

function Shown({ use: { name, atMs }, label, text }: ShownProps) {
  return (
    <div>
      <span class="help" aria-hidden="true">
        {label}
      </span>
      <CodeBlock wrap label={`${label} of ${name} at ${clockText(atMs / 1000)}`} text={text} />
    </div>
  );
}

function ToolState({ use }: { readonly use: ToolUse }) {
  if (use.error !== undefined) return <Badge tone="bad">Failed</Badge>;
  if (use.cancelled) return <Badge tone="warn">Cancelled</Badge>;
  if (use.result !== undefined) return <Badge tone="good">Answered</Badge>;
  return (
    <Badge tone="info" live>
      Running
    </Badge>
  );
}

/** Pretty-prints JSON; returns other text unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
