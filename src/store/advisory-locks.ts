/** Keys of Postgres' advisory locks; each must differ from the others. */
export const advisoryLocks = {
  firstStart: 7_230_001,
  migration: 7_230_002,
  /** Held by the service that owns an embedded server. */
  embeddedOwner: 7_230_003,
  nodeSweep: 7_230_004,
  sealing: 7_230_005,
  /** Of a team, whose id is the second key. */
  deletions: 7_230_006,
  /** Of a team's number; both are the second key. */
  handsetNumbers: 7_230_007,
} as const;
