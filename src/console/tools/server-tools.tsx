import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Tool, ToolTrial } from '../../client/api.generated.ts';
import type { WidgetProps } from '../form/form-scope.ts';
import { GroupField } from '../form/group-field.tsx';
import { useClient } from '../session.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { faultText } from '../ui/fault-text.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { type Loaded, useLoad } from '../use-load.ts';

export type ServerTool = NonNullable<ToolTrial['tools']>[number];

/** What the server of a stored tool lists; undefined for a tool that has no such server or is not stored yet. */
export const ServerTools = createContext<Loaded<readonly ServerTool[]> | undefined>(undefined);

/** Asks the server of a tool what it lists, now and whenever the tool was saved. */
export function useServerTools(tool: Tool): Loaded<readonly ServerTool[]> | undefined {
  const client = useClient();
  const isServer = tool.type === 'mcp';
  const listed = useLoad(
    async (signal) => {
      if (!isServer) return [];
      const options = { path: { id: tool._id }, body: {}, signal };
      const { ok, error, tools = [] } = await client.call('testTool', options);
      if (!ok) throw new Error(error);
      return tools;
    },
    [client, tool._id, tool.updatedAt],
  );
  return isServer ? listed : undefined;
}

/** Which tools of a server are offered: all of them, or those that are chosen by name. */
export function ServerToolsWidget({ id, text, value, onChange, help, error }: WidgetProps) {
  const listed = useContext(ServerTools);
  const chosen = Array.isArray(value) ? (value as readonly string[]) : [];
  const names = listed?.data?.map(({ name }) => name) ?? [];
  const offersAll = chosen.length === 0;
  const gone = listed?.data ? chosen.filter((name) => !names.includes(name)) : [];
  const choose = (name: string, on: boolean) =>
    onChange(on ? [...chosen, name] : chosen.filter((one) => one !== name));
  return (
    <GroupField id={id} label={text.label} help={help} error={error}>
      {!listed && <p>Create the tool first to list the tools of its server.</p>}
      {listed?.loading && !listed.data && (
        <div class="late">
          <Skeleton lines={3} />
        </div>
      )}
      {listed?.error !== undefined && (
        <Callout tone="bad">
          <p>Its tools could not be listed: {faultText(listed.error)}</p>
          <Button onClick={listed.reload}>Ask the server again</Button>
        </Callout>
      )}
      {listed?.data && (
        <>
          <Checkbox
            label="All, also those that the server adds later"
            checked={offersAll}
            disabled={offersAll && names.length === 0}
            onChange={(all) => onChange(all ? [] : names)}
          />
          <ul class="server-tools">
            {listed.data.map((tool) => (
              <li key={tool.name}>
                <Checkbox
                  label={tool.name}
                  help={<ToolNotes tool={tool} />}
                  checked={offersAll || chosen.includes(tool.name)}
                  // None chosen would be all of them.
                  disabled={offersAll || (chosen.length === 1 && chosen[0] === tool.name)}
                  onChange={(on) => choose(tool.name, on)}
                />
                <details>
                  <summary>Arguments of {tool.name}</summary>
                  <CodeBlock
                    label={`Arguments of ${tool.name}`}
                    text={JSON.stringify(tool.parameters, null, 2)}
                    wrap
                  />
                </details>
              </li>
            ))}
            {gone.map((name) => (
              <li key={name}>
                <Checkbox
                  label={name}
                  help={<Badge tone="warn">not on the server any more</Badge>}
                  checked
                  disabled={chosen.length === 1}
                  onChange={(on) => choose(name, on)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </GroupField>
  );
}

function ToolNotes({ tool }: { readonly tool: ServerTool }) {
  return (
    <>
      {tool.readOnly && <Badge tone="good">reads only</Badge>} {tool.description}
    </>
  );
}
