import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ToolConfigSchema } from '../../src/contract/tool.ts';
import { createGuardedFetch } from '../../src/lib/guarded-fetch.ts';
import { SchemaChecker } from '../../src/lib/schema-checker.ts';
import { systemClock } from '../../src/lib/system-clock.ts';
import { tryTool } from '../../src/tools/try-tool.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

/** Example servers of the protocol's own library: with sessions and streams, and with neither. */
test.each(['simpleStreamableHttp', 'honoWebStandardStreamableHttp'])(
  'the example server %s is listed and called',
  async (name) => {
    const port = await freePort();
    const program = import.meta.resolve(`@modelcontextprotocol/sdk/examples/server/${name}.js`);
    const child = spawn(process.execPath, [fileURLToPath(program)], {
      env: { ...process.env, MCP_PORT: String(port) },
      stdio: 'ignore',
    });
    // The budgets have tests of their own: a busy machine may take longer.
    const schemas = new SchemaChecker({ deadlineMs: 60_000 });
    try {
      const url = `http://localhost:${port}/mcp`;
      await eventually(() => fetch(url));
      const outbound = createGuardedFetch({
        ...{ allowPrivate: true, clock: systemClock, connectTimeoutMs: 60_000 },
      });
      const servers = {
        clock: systemClock,
        fetch: outbound.fetch,
        maxResponseBytes: 65_536,
        schemas,
        listMs: 60_000,
      };
      const config = ToolConfigSchema.parse({
        type: 'mcp',
        function: { name: 'example' },
        server: { url },
      });
      const trial = { id: 'example', teamId: 'ada', config, signal: AbortSignal.timeout(60_000) };
      const listed = await tryTool(servers, { ...trial, arguments: {} });
      expect(listed).toMatchObject({
        tools: expect.arrayContaining([expect.objectContaining({ name: 'greet' })]),
      });
      const greet = { ...trial, tool: 'greet' };
      const greeted = await tryTool(servers, { ...greet, arguments: { name: 'Ada' } });
      expect(greeted).toMatchObject({ ok: true, result: expect.stringMatching(/Hello, Ada/) });
      const refused = await tryTool(servers, { ...greet, arguments: { name: 7 } });
      expect(refused).toMatchObject({ ok: false, error: expect.stringContaining('name') });
    } finally {
      await schemas.close();
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    }
  },
);
