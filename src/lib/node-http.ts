/**
 * Node's HTTP without `import`, which reads every export of the module: one of them loads a second HTTP client, Node's
 * own `fetch`, and with it 15 MiB.
 */
export const { Agent, createServer, request } = process.getBuiltinModule('node:http');
