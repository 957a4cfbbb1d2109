const { NODE_V8_COVERAGE, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env;

/** What counts what a child process runs, in `npm run coverage`. */
export const COUNTED = NODE_V8_COVERAGE ? { NODE_V8_COVERAGE, NODE_OPTIONS } : {};

/** Nothing of the developer's own settings; what other processes of the run have compiled is not compiled again. */
export const bareEnvironment = {
  PATH: process.env.PATH ?? '',
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
  ...COUNTED,
};
