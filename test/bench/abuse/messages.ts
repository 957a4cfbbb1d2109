/** What the process of the attackers is asked, and answers. */
export interface AttackersApi {
  /** Whom they attack, and the key of their team. */
  enlist(service: { readonly url: string; readonly key: string }): void;
  begin(attack: string): void;
  /** Ends the attack; resolves when nothing of it is open any more. */
  end(): Promise<{
    /** What became of what they sent, by status, close code or path of their own servers. */
    readonly counts: Readonly<Record<string, number>>;
    readonly cpuMs: number;
    readonly failed?: string;
  }>;
}
