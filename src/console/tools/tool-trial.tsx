import { useState } from 'preact/hooks';
import type { Tool, ToolTrial as Trial } from '../../client/api.generated.ts';
import { fieldFaults } from '../field-faults.ts';
import { parseObject } from '../form/json-widget.tsx';
import type { OwnSchema } from '../form/schema-rows.ts';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { useAction } from '../use-action.ts';
import { sampleArguments } from './sample-arguments.ts';
import type { ServerTool } from './server-tools.tsx';

interface ToolTrialProps {
  readonly tool: Tool;
  /** Of a server: its tools. */
  readonly offered: readonly ServerTool[];
  /** There are unsaved changes; the test uses the stored version. */
  readonly dirty: boolean;
}

/** Calls a tool's server once, as an assistant would, and shows the response. */
export function ToolTrial({ tool, offered, dirty }: ToolTrialProps) {
  const client = useClient();
  const [text, setText] = useState(() => sampleText(tool.function.parameters));
  const [trial, setTrial] = useState<Trial>();
  const [name, setName] = useState('');
  const parsed = parseObject(text);
  const send = useAction(async () => {
    setTrial(undefined);
    const body = {
      arguments: (parsed.value ?? {}) as Record<string, unknown>,
      ...(name === '' ? {} : { tool: name }),
    };
    setTrial(await client.call('testTool', { path: { id: tool._id }, body }));
  });
  const fault = fieldFaults(send.error).arguments;
  return (
    <section class="editor-section tool-trial" aria-labelledby="tool-trial-title">
      <h2 id="tool-trial-title">Test it</h2>
      <p class="help">
        Your server gets one request, signed and with its headers, as in a call. This is a real
        request: side effects will happen.
      </p>
      {dirty && (
        <Callout tone="warn">
          <p>The test uses the saved version. Save your changes first to test them.</p>
        </Callout>
      )}
      {tool.type === 'mcp' && (
        <Select
          id="tool-trial-name"
          label="Tool"
          value={name}
          onChange={(next) => {
            setName(next);
            setTrial(undefined);
            send.forget();
            const chosen = offered.find((one) => one.name === next);
            setText(sampleText(chosen?.parameters ?? {}));
          }}
          options={[
            { value: '', label: 'None: list them' },
            ...offered.map((one) => ({ value: one.name, label: one.name })),
          ]}
        />
      )}
      <TextArea
        id="tool-trial-arguments"
        label="Arguments"
        help="As the model would send them."
        code
        value={text}
        onChange={(next) => {
          setText(next);
          send.forget();
        }}
        error={parsed.fault ?? fault}
      />
      <div class="row">
        <Button
          icon="play"
          busy={send.busy}
          disabled={parsed.fault !== undefined}
          onClick={() => send.run()}
        >
          Send
        </Button>
      </div>
      {send.error !== undefined && fault === undefined && (
        <Callout tone="bad">
          <p>{faultText(send.error)}</p>
        </Callout>
      )}
      <div role="status">{trial && <TrialResult trial={trial} />}</div>
    </section>
  );
}

const sampleText = (parameters: OwnSchema): string =>
  JSON.stringify(sampleArguments(parameters), null, 2);

function TrialResult({ trial }: { readonly trial: Trial }) {
  const { ok, status, durationMs, result, error, message, body, tools } = trial;
  return (
    <div class="tool-trial">
      <p class="tool-trial-facts">
        <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'Succeeded' : 'Failed'}</Badge>
        <span>{status === undefined ? 'No answer' : `Status ${status}`}</span>
        <span class="numeric">{durationMs.toLocaleString()} ms</span>
      </p>
      {error !== undefined && <p>Message to the model: {error}</p>}
      {message !== undefined && (
        <p>
          Spoken instead of asking the model: <span class="spoken">“{message}”</span>
        </p>
      )}
      {result !== undefined && (
        <div class="section">
          <h3>Result for the model</h3>
          <CodeBlock label="Result for the model" text={result} wrap />
        </div>
      )}
      {tools && (
        <div class="section">
          <h3>Tools of the server</h3>
          <ul>
            {tools.map((one) => (
              <li key={one.name}>
                <code>{one.name}</code> {one.readOnly && <Badge tone="good">reads only</Badge>}{' '}
                {one.description}
              </li>
            ))}
          </ul>
        </div>
      )}
      {body !== undefined && body !== result && (
        <div class="section">
          <h3>The answer as it came</h3>
          <CodeBlock label="The answer as it came" text={body === '' ? '(empty)' : body} wrap />
        </div>
      )}
    </div>
  );
}
