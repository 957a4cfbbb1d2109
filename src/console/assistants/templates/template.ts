import type {
  AssistantInput,
  CalendarInput,
  ToolInput,
  WaitListInput,
} from '../../../client/api.generated.ts';

/** A template: an assistant with all that it needs. One file of data each. */
export interface AssistantTemplate {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly assistant: AssistantInput;
  readonly knowledge?: {
    readonly title: string;
    readonly description: string;
    readonly faq: readonly {
      readonly question: string;
      readonly answer: string;
      readonly category: string;
    }[];
  };
  /** Made only if the address of its server is given, for which the console asks by `asksFor`. */
  readonly tools?: readonly (Pick<ToolInput, 'function'> & { readonly asksFor: string })[];
  readonly calendars?: readonly CalendarInput[];
  readonly waitLists?: readonly WaitListInput[];
  /** What to say to it to try it, and words of the answer; the built-in model gives them too. */
  readonly questions: readonly { readonly say: string; readonly expect: string }[];
}
