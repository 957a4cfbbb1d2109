/** Nothing of the developer's own settings; what other processes of the run have compiled is not compiled again. */
export const bareEnvironment = {
  PATH: process.env.PATH ?? '',
  ...(process.env.NODE_COMPILE_CACHE === undefined
    ? {}
    : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
};
