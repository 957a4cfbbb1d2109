import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Appointment, Calendar } from '../../client/api.generated.ts';
import type { FieldFaults } from '../field-faults.ts';
import { may, useClient } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { ErrorState } from '../ui/error-state.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useLoad } from '../use-load.ts';
import { usePages } from '../use-pages.ts';

const SLOT_DAYS = 14;
const TYPING_MS = 300;

/** A time as it is in the place of the calendar. */
const timeIn = (timeZone: string, at: string): string =>
  new Intl.DateTimeFormat(undefined, {
    ...{ timeZone, weekday: 'short', day: 'numeric', month: 'short' },
    ...{ hour: '2-digit', minute: '2-digit' },
  }).format(new Date(at));

/** The appointments of a calendar that are still to come; free times can be booked. */
export function Appointments({ calendar }: { readonly calendar: Calendar }) {
  const { _id: id, timezone, feedUrl } = calendar;
  const client = useClient();
  const [search, setSearch] = useState('');
  const { rows, error, reload, more, isLoadingMore } = usePages<Appointment>(
    (page, signal) =>
      client.open('listAppointments', {
        path: { id },
        query: { ...page, ...(search === '' ? {} : { search }) },
        ...(signal ? { signal } : {}),
      }),
    [id, search],
  );
  const [booking, setBooking] = useState(false);
  const [cancelled, setCancelled] = useState<Appointment>();
  return (
    <section class="section stack" aria-labelledby="appointments-title">
      <div class="row">
        <h2 id="appointments-title">Appointments</h2>
        {may('builder') && <Button onClick={() => setBooking(true)}>Book …</Button>}
      </div>
      {(search !== '' || rows?.length !== 0) && (
        <SearchField
          id="appointments-search"
          label="Search appointments"
          placeholder="Name, number, notes or reference"
          value={search}
          onChange={setSearch}
          pauseMs={TYPING_MS}
        />
      )}
      {error !== undefined && (
        <ErrorState title="The appointments could not be loaded" error={error} onRetry={reload} />
      )}
      {error === undefined && (
        <DataTable<Appointment>
          label="Appointments"
          rows={rows}
          onMore={more}
          loadingMore={isLoadingMore}
          rowKey={({ _id }) => _id}
          empty={
            <p class="help">
              {search === ''
                ? 'No upcoming appointments.'
                : `No upcoming appointment matches “${search}”.`}
            </p>
          }
          columns={[
            { title: 'When', cell: ({ startAt }) => timeIn(timezone, startAt) },
            { title: 'Name', cell: ({ name }) => name },
            { title: 'Number', cell: ({ phone }) => phone },
            { title: 'Notes', cell: ({ notes }) => notes },
            { title: 'Reference', cell: ({ reference }) => <code>{reference}</code> },
            {
              title: 'Booked in',
              cell: ({ callId }) =>
                callId === undefined ? '–' : <Link href={`/calls/${callId}`}>the call</Link>,
            },
            {
              title: '',
              cell: (appointment) =>
                may('builder') && (
                  <Button
                    kind="quiet"
                    icon="trash"
                    small
                    aria-label={`Cancel the appointment of ${appointment.name}`}
                    onClick={() => setCancelled(appointment)}
                  />
                ),
            },
          ]}
        />
      )}
      <p class="help">
        Subscribe to it in a calendar program. Anyone who knows this address can read the
        appointments: <CopyButton text={feedUrl} />
      </p>
      {booking && (
        <BookDialog calendar={calendar} onBooked={reload} onClose={() => setBooking(false)} />
      )}
      {cancelled && (
        <ConfirmDialog
          title={`Cancel the appointment of ${cancelled.name}?`}
          action="Cancel the appointment"
          onConfirm={async () => {
            await client.call('cancelAppointment', { path: { id, appointmentId: cancelled._id } });
            reload();
          }}
          onClose={() => setCancelled(undefined)}
        >
          <p>{timeIn(timezone, cancelled.startAt)}. The caller is not notified.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

interface BookDialogProps {
  readonly calendar: Calendar;
  readonly onBooked: () => void;
  readonly onClose: () => void;
}

function BookDialog({ calendar: { _id: id, timezone }, onBooked, onClose }: BookDialogProps) {
  const client = useClient();
  const slots = useLoad(
    (signal) => client.call('listSlots', { path: { id }, query: { days: SLOT_DAYS }, signal }),
    [client, id],
  );
  const [startAt, setStartAt] = useState('');
  const [name, setName] = useState('');
  const [phone, setPhone] = useState('');
  const free = slots.data ?? [];
  return (
    <FormDialog
      title="Book an appointment"
      action="Book"
      done="The appointment is booked."
      shape="narrow"
      check={(): FieldFaults => ({
        ...(startAt === '' ? { startAt: 'Choose a time.' } : {}),
        ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
      })}
      onSubmit={async () => {
        const body = { startAt, name, phone };
        await client.call('bookAppointment', { path: { id }, body });
        onBooked();
      }}
      onClose={onClose}
    >
      {(faults) => (
        <>
          <Select
            id="book-slot"
            label="Free times of the next two weeks"
            error={faults.startAt}
            value={startAt}
            options={[
              { value: '', label: slots.data ? 'Choose …' : 'Loading …' },
              ...free.map((slot) => ({
                value: slot.startAt,
                label: timeIn(timezone, slot.startAt),
              })),
            ]}
            onChange={setStartAt}
          />
          <TextField
            id="book-name"
            label="Name"
            error={faults.name}
            value={name}
            onChange={setName}
            maxLength={200}
          />
          <TextField
            id="book-phone"
            label="Number"
            type="tel"
            optional
            error={faults.phone}
            value={phone}
            onChange={setPhone}
            maxLength={40}
          />
        </>
      )}
    </FormDialog>
  );
}
