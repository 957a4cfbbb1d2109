import afterHours from './after-hours.json' with { type: 'json' };
import appointmentBooking from './appointment-booking.json' with { type: 'json' };
import blank from './blank.json' with { type: 'json' };
import clinicDesk from './clinic-desk.json' with { type: 'json' };
import orderStatus from './order-status.json' with { type: 'json' };
import survey from './survey.json' with { type: 'json' };
import type { AssistantTemplate } from './template.ts';

export const BLANK: AssistantTemplate = blank;

/** In the order of the page, the blank one last. */
export const TEMPLATES: readonly AssistantTemplate[] = [
  clinicDesk,
  appointmentBooking,
  afterHours,
  survey,
  // A schema's `type` is a text in a JSON module.
  orderStatus as AssistantTemplate,
  blank,
];
