import { useState } from 'preact/hooks';
import type { Call, ModelEstimate, WhatIf, WhatIfInput } from '../../client/api.generated.ts';
import { VersionChoice } from '../assistants/version-choice.tsx';
import { fieldFaults } from '../field-faults.ts';
import { useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { faultText } from '../ui/fault-text.ts';
import { NumberField } from '../ui/number-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { useAction } from '../use-action.ts';
import type { ToolUse } from './call-timeline.ts';
import { budgetFor, WhatIfEstimate } from './what-if-estimate.tsx';
import { WhatIfResult } from './what-if-result.tsx';

interface WhatIfPanelProps {
  readonly call: Call;
  readonly tools: readonly ToolUse[];
}

const REACTIONS = [
  { value: 'speaks-on', label: 'Speaks on, over the answer' },
  { value: 'waits', label: 'Waits, then says the rest' },
  { value: 'repeats', label: 'Waits, then says it all again' },
] as const;

/** Replays the call with a change and shows what would have happened. */
export function WhatIfPanel({ call, tools }: WhatIfPanelProps) {
  const client = useClient();
  const [version, setVersion] = useState('');
  const [waitSeconds, setWaitSeconds] = useState<number>();
  const [prompt, setPrompt] = useState('');
  const [patch, setPatch] = useState('');
  const [failing, setFailing] = useState('');
  const [caller, setCaller] = useState<(typeof REACTIONS)[number]['value']>('speaks-on');
  const [askModel, setAskModel] = useState(false);
  const [result, setResult] = useState<WhatIf>();
  const [estimated, setEstimated] = useState<Estimated>();
  const [budget, setBudget] = useState<WhatIfInput['budget']>();
  const replay = useAction(async () => {
    setResult(undefined);
    const { assistantId } = call;
    const instead =
      version === '' || !assistantId ? {} : { instead: { assistantId, assistantVersion: version } };
    const changed = changeOf({ waitSeconds, prompt, patch, failing, caller });
    const change = { ...changed, ...instead };
    const path = { id: call.id };
    const asked = JSON.stringify(change);
    // What is paid for is said before; another change would cost something else.
    if (askModel && estimated?.of !== asked) {
      const estimate = await client.call('estimateReplay', { path, body: change });
      setEstimated({ of: asked, estimate });
      setBudget(budgetFor(estimate));
      if (estimate.vendors.length > 0) return;
    }
    const body = { ...change, askModel, ...(askModel && budget ? { budget } : {}) };
    setResult(await client.call('replayCall', { path, body }));
    setEstimated(undefined);
  });
  const faults = fieldFaults(replay.error);
  const wait = faults['assistant.startSpeakingOptions.waitSeconds'];
  const names = [...new Set(tools.map(({ name }) => name))];
  return (
    <form
      class="stack what-if"
      onSubmit={(event) => {
        event.preventDefault();
        void replay.run();
      }}
    >
      <p class="help">
        Plays this call again with a change. It is exact until something differs; from there the
        caller says what they said, and everything else answers as it did. Nothing is said or
        stored.
      </p>
      {call.assistantId && (
        <VersionChoice
          id="what-if-version"
          label="Version of the assistant"
          help="The changes below apply to this version."
          assistantId={call.assistantId}
          none="As in the call"
          value={version}
          onChange={setVersion}
        />
      )}
      <NumberField
        id="what-if-wait"
        label="Wait before answering"
        unit="s"
        min={0}
        optional
        value={waitSeconds}
        onChange={setWaitSeconds}
        error={wait}
      />
      <TextArea
        id="what-if-prompt"
        label="System prompt"
        help="Replaces the call’s prompt. New replies are known only if the model is asked again."
        optional
        rows={3}
        value={prompt}
        onChange={setPrompt}
      />
      {names.length > 0 && (
        <Select
          id="what-if-tool"
          label="A tool that fails"
          value={failing}
          onChange={setFailing}
          options={[
            { value: '', label: 'None' },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
        />
      )}
      <Select
        id="what-if-caller"
        label="If the caller is answered too early"
        value={caller}
        onChange={setCaller}
        options={REACTIONS}
      />
      <TextArea
        id="what-if-patch"
        label="Other changes of the assistant"
        help="A JSON object with the fields that change."
        optional
        code
        rows={3}
        placeholder='{"stopSpeakingOptions": {"numberOfWords": 2}}'
        value={patch}
        onChange={setPatch}
      />
      <Checkbox
        id="what-if-ask"
        label="Ask the model for new replies"
        help="At most 40 requests, charged as usual; what they cost is shown before. Otherwise the recorded replies are used."
        checked={askModel}
        onChange={(asks) => {
          setAskModel(asks);
          setEstimated(undefined);
        }}
      />
      {askModel && estimated && estimated.estimate.vendors.length > 0 && (
        <WhatIfEstimate estimate={estimated.estimate} budget={budget ?? {}} onChange={setBudget} />
      )}
      <div class="row">
        <Button type="submit" busy={replay.busy}>
          {askModel && estimated ? 'Ask the model' : 'Replay'}
        </Button>
      </div>
      {replay.error !== undefined && wait === undefined && (
        <p class="field-fault" role="alert">
          {faultText(replay.error)}
        </p>
      )}
      {result && <WhatIfResult result={result} />}
    </form>
  );
}

/** What asking the model comes to, and with which change. */
interface Estimated {
  readonly of: string;
  readonly estimate: ModelEstimate;
}

interface Asked {
  readonly waitSeconds: number | undefined;
  readonly prompt: string;
  readonly patch: string;
  readonly failing: string;
  readonly caller: NonNullable<WhatIfInput['caller']>;
}

function changeOf({ waitSeconds, prompt, patch, failing, caller }: Asked): WhatIfInput {
  const other = patchOf(patch);
  const startSpeakingOptions = {
    ...(other.startSpeakingOptions as object | undefined),
    ...(waitSeconds === undefined ? {} : { waitSeconds }),
  };
  const assistant = {
    ...other,
    ...(Object.keys(startSpeakingOptions).length > 0 ? { startSpeakingOptions } : {}),
    ...(prompt.trim() === '' ? {} : { assistantSystemPrompt: prompt }),
  };
  return {
    caller,
    ...(Object.keys(assistant).length > 0 ? { assistant } : {}),
    ...(failing === '' ? {} : { tools: { [failing]: { error: 'the tool failed' } } }),
  };
}

function patchOf(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  try {
    const patch: unknown = JSON.parse(text);
    if (typeof patch === 'object' && patch !== null && !Array.isArray(patch))
      return patch as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw new Error('other changes must be a JSON object');
}
