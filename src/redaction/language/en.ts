import { toCardinal } from 'n2words/en-US';
import { list, type RedactionWords } from './language-words.ts';

export const english: RedactionWords = {
  cardinal: (n) => toCardinal(n),
  otherNumbers: { oh: '0', o: '0', nought: '0', naught: '0', nil: '0' },
  repeats: { double: 2, triple: 3, treble: 3 },
  fillers: list('and, then, uh, um, er, dash, hyphen, space, dot, okay, ok, again, sorry, next'),
  plus: ['plus'],
  magnitudes: list('thousand, million, billion, k'),
  units: list(
    'dollar, dollars, pound, pounds, euro, euros, cent, cents, percent, minute, minutes, hour, hours, day, days, week, weeks, month, months, year, years, am, pm, mile, miles, kilo, kilos, people, persons, times, items, pieces, degrees, usd, eur, gbp, points',
  ),
  countries: ['US', 'GB'],
  cues: {
    card: list('card, credit, debit, visa, mastercard, amex, card number'),
    'security-code': list('cvv, cvc, security code, card code'),
    'bank-account': list(
      'account, account number, iban, routing, routing number, aba, sort code, bank, checking, savings',
    ),
    'identity-number': list(
      'social, social security, ssn, national insurance, nino, national id, identity, id number, passport, tax id, insurance number',
    ),
    phone: list(
      'phone, telephone, cell, mobile, call me, reach me, my number is, call back, callback, text me, whatsapp, landline, contact number',
    ),
    other: list(
      'order, order number, tracking, reference, ticket, invoice, confirmation, booking, reservation, case, model, serial, part, flight, room, item, extension, code, version, article, product, parcel, policy, gate, page, question, line, costs, cost, price, total, pay, paid',
    ),
  },
  birth: list('born, date of birth, birthday, birth date, birthdate, dob, birth'),
  months: list(
    'january, february, march, april, may, june, july, august, september, october, november, december, jan, feb, mar, apr, jun, jul, aug, sep, sept, oct, nov, dec',
  ),
  datePrepositions: list('the, of, in, and, on'),
  dateNumbers:
    /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|twentieth|thirtieth|thousand|hundred|oh|st|nd|rd|th)$/,
  email: {
    at: list('at, at sign'),
    dot: list('dot, period, point'),
    signs: list('underscore, dash, hyphen, minus, plus'),
    cues: list('email, e-mail, mail, address, is'),
  },
  nameCues: list(
    "my name is, my name's, the name is, the name's, my full name is, name is, this is, i am, i'm, it's, speaking with, speaking to, i am called, call me, they call me, my wife is, my husband is, my son is, my daughter is, under the name, under the name of, in the name of, on behalf of, ask for, my surname is, my last name is, my first name is, surname is, last name is, first name is",
  ),
  weakNameCues: list("this is, i am, i'm, it's, call me, is"),
  sureHonorifics: list('mr, mrs, ms, miss, mister'),
  honorifics: list('mr, mrs, ms, miss, mister, missus, dr, doctor, professor, prof, sir, madam'),
  notNames: list(
    'i, a, an, the, my, your, it, not, just, here, there, so, very, really, calling, looking, trying, going, sorry, fine, good, great, okay, ok, sure, happy, glad, interested, afraid, about, for, from, in, on, at, to, with, and, or, but, that, this, what, who, why, when, where, how, is, are, was, were, am, be, been, being, have, has, had, do, does, did, can, could, will, would, should, may, might, must, no, yes, please, thanks, thank, hello, hi, goodbye, also, only, still, already, now, then, today, tomorrow, monday, tuesday, wednesday, thursday, friday, saturday, sunday, january, february, march, april, june, july, august, september, october, november, december, english, spanish, french, german, american, british, back, late, early, ready, done, waiting, having, using, getting, born, customer, patient, one, two, three, four, five, six, seven, eight, nine, ten, zero, all, right, correct, wrong, of, by, as, if, because, which, more, less, too, me, you, he, she, we, they, him, her, us, them, tired, sick, ill, pregnant, diabetic, new, old, urgent, important, possible, an order, available, closed, open, like, bit, quite, pretty, out, up, down, off, over, under, need, want, think, doctor',
  ),
  nameParticles: list("van, von, de, der, la, le, di, da, del, dos, bin, al, mc, o', st"),
  address: {
    cues: list(
      'i live at, i live on, live at, living at, my address is, the address is, address is, home address is, deliver to, deliver it to, send it to, ship it to, located at, reside at, moved to',
    ),
    before: [],
    after: list(
      'street, st, avenue, ave, road, rd, lane, ln, drive, dr, boulevard, blvd, court, ct, way, place, pl, square, terrace, crescent, close, parkway, highway, circle, trail, row, gardens, grove, mews, hill, walk',
    ),
    within: list(
      'apartment, apt, suite, unit, flat, floor, number, in, north, south, east, west, the',
    ),
  },
  health: list(
    'diabet*, cancer*, tumor*, tumour*, hiv, aids, depress*, anxiety, pregnan*, miscarriage*, abortion*, asthma*, chemotherapy, chemo, insulin, epilep*, schizophren*, bipolar, hepatitis, tubercul*, herpes, syphilis, chlamydia, gonorrh*, arthritis, migraine*, stroke, dementia, alzheimer*, parkinson*, multiple sclerosis, heart attack, heart disease, high blood pressure, hypertens*, leukemia, leukaemia, lymphoma*, melanoma*, biopsy, dialysis, transplant*, antidepress*, antibiotic*, methadone, addict*, alcoholi*, overdos*, suicid*, surgery, infertil*, anorexi*, bulimi*, autis*, adhd, kidney stone*, covid, pneumonia, allerg*, lupus, cyst*, fibromyalgia, thyroid*, anemia, anaemia, eczema, psoriasis, osteoporosis, endometriosis, crohn*, celiac, coeliac, ptsd, ocd, insomnia, angina, thrombosis, pacemaker, hysterectomy, vasectomy, ivf, std, sti',
  ),
};
