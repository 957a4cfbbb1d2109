import '../../src/console/css/tokens.css';
import '../../src/console/css/base.css';
import '../../src/console/css/layout.css';
import '../../src/console/css/buttons.css';
import '../../src/console/css/fields.css';
import '../../src/console/css/data.css';
import '../../src/console/css/feedback.css';
import '../../src/console/css/overlays.css';
import '../../src/console/calls/call.css';
import '../../src/console/prompt-effects.ts';
import { signal } from '@preact/signals';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Router } from 'wouter-preact';
import type { Player } from '../../src/console/calls/player.ts';
import { Transcript } from '../../src/console/calls/transcript.tsx';
import { usePath } from '../../src/console/router.ts';
import { Badge } from '../../src/console/ui/badge.tsx';
import { Button } from '../../src/console/ui/button.tsx';
import { Callout } from '../../src/console/ui/callout.tsx';
import { CodeBlock } from '../../src/console/ui/code-block.tsx';
import { Combobox } from '../../src/console/ui/combobox.tsx';
import { DataTable } from '../../src/console/ui/data-table.tsx';
import { Dialog } from '../../src/console/ui/dialog.tsx';
import { Duration } from '../../src/console/ui/duration.tsx';
import { EmptyState } from '../../src/console/ui/empty-state.tsx';
import { ErrorState } from '../../src/console/ui/error-state.tsx';
import { Facts } from '../../src/console/ui/facts.tsx';
import { Menu } from '../../src/console/ui/menu.tsx';
import { NumberField } from '../../src/console/ui/number-field.tsx';
import { PageHeader } from '../../src/console/ui/page-header.tsx';
import { Progress } from '../../src/console/ui/progress.tsx';
import { RelativeTime } from '../../src/console/ui/relative-time.tsx';
import { Select } from '../../src/console/ui/select.tsx';
import { Tabs } from '../../src/console/ui/tabs.tsx';
import { TextArea } from '../../src/console/ui/text-area.tsx';
import { TextField } from '../../src/console/ui/text-field.tsx';
import { showToast, Toasts } from '../../src/console/ui/toasts.tsx';
import { Checkbox, Switch } from '../../src/console/ui/toggle.tsx';

/** Being played, with what was taken out before, at and after the word that is heard, and in what was not. */
const LINES = [
  {
    ...{ id: 'a', role: 'assistant', fromMs: 0, toMs: 5000, open: false },
    ...{ text: 'Is it [card] for [name] at [phone] then?', unheard: 'Or [email]?' },
    words: Array.from({ length: 8 }, (_, i) => ({ fromMs: i * 500, toMs: i * 500 + 400 })),
  },
] as never;
const PLAYER = {
  positionMs: signal(2400),
  playing: signal(false),
  seek: () => undefined,
} as unknown as Player;

const VOICES = ['Ada', 'Bela', 'Carol', 'Dora', 'Emil'].map((label) => ({
  value: label.toLowerCase(),
  label,
  detail: `The voice of ${label}`,
}));
const ROWS = [
  { id: 'a', name: 'Reception', seconds: 75, live: true },
  { id: 'b', name: 'Bookings', seconds: 3671, live: false },
];

/** Every part of the kit on one page, for its test and for the eye. */
function Sample() {
  const [voice, setVoice] = useState('');
  const [model, setModel] = useState('');
  const [chosen, setChosen] = useState('-');
  const [name, setName] = useState('Reception');
  const [wait, setWait] = useState<number | undefined>(400);
  const [tab, setTab] = useState('one');
  const [open, setOpen] = useState(false);
  const [on, setOn] = useState(true);
  return (
    <main class="page">
      <PageHeader
        title="The kit"
        lead="Every part of it, with the words it is used with."
        actions={
          <>
            <Menu
              label="Actions for all"
              items={[
                {
                  value: 'copy',
                  label: 'Duplicate',
                  icon: 'copy',
                  onSelect: () => setChosen('copy'),
                },
                {
                  value: 'gone',
                  label: 'Delete',
                  icon: 'trash',
                  danger: true,
                  onSelect: () => setChosen('gone'),
                },
              ]}
            />
            <Button onClick={() => showToast('Saved.')}>Save</Button>
            <Button kind="primary" icon="plus" onClick={() => setOpen(true)}>
              New
            </Button>
          </>
        }
      />
      <p>
        Chosen: <output id="chosen">{chosen}</output>, voice <output id="voice">{voice}</output>,
        model <output id="model">{model}</output>
      </p>
      <div class="field-columns">
        <TextField
          label="Name"
          help="What it is called."
          error="Is required."
          value={name}
          onChange={setName}
        />
        <NumberField
          label="Wait"
          unit="ms"
          min={0}
          max={5000}
          optional
          value={wait}
          onChange={setWait}
        />
        <Combobox
          id="voice-field"
          label="Voice"
          help="Who speaks."
          options={VOICES}
          value={voice}
          onChange={setVoice}
        />
        <Combobox
          id="model-field"
          label="Model"
          freeText
          options={VOICES}
          value={model}
          onChange={setModel}
        />
        <Select
          label="Kind"
          value="a"
          onChange={setChosen}
          options={[
            { value: 'a', label: 'One' },
            { value: 'b', label: 'Other' },
          ]}
        />
        <TextArea label="Prompt" value={name} onChange={setName} />
        <Switch label="Record calls" help="Kept for 30 days." checked={on} onChange={setOn} />
        <Checkbox label="Agree" checked={!on} onChange={(checked) => setOn(!checked)} />
      </div>
      <div class="row">
        <Button>Secondary</Button>
        <Button kind="quiet">Quiet</Button>
        <Button kind="danger">Danger</Button>
        <Button kind="primary" busy>
          Busy
        </Button>
        <Button small disabled>
          Small
        </Button>
        <Badge>draft</Badge>
        <Badge tone="info">queued</Badge>
        <Badge tone="good" live>
          live
        </Badge>
        <Badge tone="warn">training</Badge>
        <Badge tone="bad">failed</Badge>
      </div>
      <Tabs
        label="Views"
        value={tab}
        onChange={setTab}
        items={[
          { value: 'one', label: 'One', content: () => <p>The first.</p> },
          { value: 'two', label: 'Two', content: () => <p>The second.</p> },
        ]}
      />
      <DataTable
        label="Calls"
        rows={ROWS}
        rowKey={(row) => row.id}
        rowHref={(row) => `/calls/${row.id}`}
        onMore={() => setChosen('more')}
        columns={[
          { title: 'Assistant', cell: (row) => row.name },
          {
            title: 'State',
            cell: (row) => (
              <Badge tone={row.live ? 'good' : 'neutral'}>{row.live ? 'live' : 'over'}</Badge>
            ),
          },
          { title: 'Began', cell: () => <RelativeTime at="2026-01-01T00:00:00.000Z" /> },
          { title: 'Length', cell: (row) => <Duration seconds={row.seconds} />, end: true },
          { title: '', cell: () => <Menu label="Actions" items={[]} />, end: true },
        ]}
      />
      <DataTable
        label="Waiting"
        rows={undefined}
        rowKey={String}
        columns={[{ title: 'Name', cell: String }]}
      />
      <Facts
        items={[
          ['Made', 'today'],
          ['Nothing', undefined],
          ['Id', <code key="id">WC-1</code>],
        ]}
      />
      <Transcript lines={LINES} player={PLAYER} seekable />
      <Progress label="Uploading" value={0.4} />
      <CodeBlock label="Schema" text={'{\n  "type": "object"\n}'} />
      <Callout tone="warn">It is used by two assistants.</Callout>
      <EmptyState icon="calls" title="No calls yet" action={<Button kind="primary">Talk</Button>}>
        Each call that an assistant holds is kept here.
      </EmptyState>
      <ErrorState
        title="The calls could not be loaded"
        error={new TypeError('x')}
        onRetry={() => setChosen('again')}
      />
      {open && (
        <Dialog
          title="New"
          onClose={() => setOpen(false)}
          foot={<Button kind="primary">Create</Button>}
        >
          <TextField label="Title" value="" onChange={setName} />
        </Dialog>
      )}
      <Toasts />
    </main>
  );
}

render(
  <Router hook={usePath}>
    <Sample />
  </Router>,
  document.getElementById('app') as HTMLElement,
);
document.body.dataset.started = 'true';
