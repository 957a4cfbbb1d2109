import { llmTool } from '../llm-tool.ts';

const text = (description: string) => ({ type: 'string', description });

const which = {
  reference: text('The reference of the appointment, as the caller says it or as you were told.'),
  start: text('Or the time at which it now starts, as 2027-03-01T09:00.'),
};

/** Definitions of the predefined `appointment` tools for the model. */
export const APPOINTMENT_TOOLS = {
  slots: llmTool(
    'appointmentSlots',
    'Lists free appointment times, and says what day it is today. Call it before you offer any time: you know of none ' +
      'without it. Offer two or three of them, in words; never read out the whole list.',
    {
      date: text('The first day to look at, as 2027-03-01. Leave it out to start today.'),
      days: { type: 'integer', minimum: 1, maximum: 31, description: 'How many days; usually 7.' },
      partOfDay: { type: 'string', enum: ['any', 'morning', 'afternoon', 'evening'] },
    },
  ),
  book: llmTool(
    'appointmentBook',
    'Books an appointment. Call it only for a time that appointmentSlots listed, and only after the caller agreed to ' +
      'it and gave a name. It is booked when the tool says so, not before; then tell the caller the day, the time ' +
      'and the reference.',
    {
      start: text('The start exactly as appointmentSlots listed it, such as 2027-03-01T09:00.'),
      name: text("The caller's name."),
      phone: text('Only if the caller wants another number than the one they call from.'),
      notes: text('What it is about, if the caller said so.'),
    },
    ['start', 'name'],
  ),
  find: llmTool(
    'appointmentFind',
    "Looks up the caller's coming appointments: by a reference, or else by the number they call from.",
    { reference: which.reference },
  ),
  move: llmTool(
    'appointmentMove',
    'Moves an appointment of the caller to another free time that appointmentSlots listed. Ask first whether the new ' +
      'time suits. Name the appointment by its reference or its present start.',
    { ...which, newStart: text('The new start exactly as appointmentSlots listed it.') },
    ['newStart'],
  ),
  cancel: llmTool(
    'appointmentCancel',
    'Cancels an appointment of the caller. Ask whether they are sure, unless they said so plainly. Name the ' +
      'appointment by its reference or its start.',
    which,
  ),
} as const;
