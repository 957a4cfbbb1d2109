import { type LanguageData, phrases } from './language-data.ts';

export const english: LanguageData = {
  tag: 'en',
  backchannels: phrases(`
    yeah, yep, yup, yes yes, yeah yeah, ok, okay, right, all right, alright, sure, mm-hm, mm hm,
    mhm, mm, mmm, mm-hmm, mm hmm, hm, hmm, uh-huh, uh huh, aha, ah, oh, i see, got it, gotcha,
    i know, cool, great, nice, good, exactly, of course, go on, true, wow, really, no problem,
    no worries, fine, that's right, thank you, thanks, understood, perfect, makes sense,
    that makes sense, sounds good, that sounds good, sounds great, very good, very nice, all good,
    lovely, wonderful, excellent, brilliant, awesome, amazing, fantastic, interesting, absolutely,
    definitely, indeed, for sure, i understand, i hear you, i got it, i get it, okey-dokey,
    okie dokie, huh, yes, yes i see, that's good, that's great, that's fine, that's true,
    good to know, fair enough, oh really, oh wow, no way, of course yes, certainly, works for me,
    works, super, right on, so true, you're right, thank you very much, thanks a lot, no kidding,
    not bad, no doubt, no doubt about it, you don't say, no wonder, not surprising,
    i don't believe it, i didn't know that, you're kidding, are you serious, are you sure, oh yeah,
    is that so, is that right, is that true, is it, was it, is he, is she, are they, are you,
    were you, do you, did you, does it, did it, did they, do they, have you, has it, have they,
    oh my, my goodness, oh good, oh nice, oh great, what a, what an, how nice, how lovely,
    how interesting, how funny, how cool, how wonderful, oh no, couldn't agree more,
    can't argue with that, good for you, never knew that, i had no idea`),
  stopPhrases: phrases(`
    stop, wait, wait a minute, wait a second, hold on, hang on, no, nope, actually, excuse me,
    sorry, pardon, one moment, just a moment, one second, just a second, let me, listen, be quiet,
    shut up, enough, cancel, hello, that's enough, not that, quiet, pause, one sec, just a sec,
    hold up, hold it, time out, whoa, hush, halt, stop it, never mind, forget it, that will do,
    that'll do, not now, slow down, hey, back up, give me a second, give me a moment, if i may,
    let me stop you, i have to stop you, stop talking, one question, one thing, i'm sorry,
    sorry to interrupt, may i, can i just, hang up`),
  refusals: phrases(`
    not, don't, doesn't, didn't, isn't, wasn't, aren't, can't, cannot, couldn't, won't, wouldn't,
    shouldn't, never, no, but, wrong, incorrect, different, instead, else, another, other, skip,
    next, back, again, repeat, help, human, person, agent, operator, somebody, someone, louder,
    slower, slowly, faster, quickly, quicker, shorter, forget, change, leave, finish, move,
    continue later, call, can i, may i, could i, could you, can you, would you, will you, i want,
    i need, i have, i'd like, i would, give me, tell me, send, show me, my, please, bye, goodbye,
    go away, too much, too long, too fast, and, or, because, if`),
  stopStems: phrases(
    'stop, wait, paus, interrupt, excus, pardon, enough, quiet, silen, cease, listen, cancel, sorr, apolog',
  ),
  hesitations: phrases(`
    um, uh, umm, uhm, uhh, er, erm, eh, hmm, mm`),
  markers: phrases('like, you know, i mean, well, so'),
  timeouts: phrases(`
    let me see, let's see, let me think, let me look, let me check, hold on, hang on, one moment,
    just a moment, one second, just a second, one sec, wait, no wait, how do i say,
    how shall i put it, what's the word, what is it called, no sorry, sorry no, i mean, or rather,
    well actually, scratch that, where was i, give me a second`),
  openEnders: phrases(`
    and, but, or, because, so, if, when, while, that, than, then, which, who, whose, although,
    though, since, unless, until, whether, as, a, an, the, my, your, his, her, our, their, its,
    of, to, in, on, at, for, from, with, without, by, about, into, between, under, over, is, are,
    was, were, am, i'm, it's, i, we, they, he, she, very, really, please can you, i want,
    i would like, i'd like, i need, i was, i have, can you, could you, would you, can i, could i,
    do you, what about, not, also, some, any, number,
    the number, it is, my name is, going to, want to, have to`),
  mayClose: phrases(`
    that, on, in, at, for, from, with, without, by, about, to, over, under, into, is, are, was,
    were, am, it's, though, so, since, his, her, when, who, which, while, very, really, than,
    i want, not, also, some, any, i have, i need, i was, number, the number, it is, want to,
    have to, going to`),
  digits: phrases('zero, oh, one, two, three, four, five, six, seven, eight, nine, nought'),
  phoneDigits: 10,
  numbers: phrases(`
    zero, oh, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve,
    thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty, thirty, forty,
    fifty, sixty, seventy, eighty, ninety, hundred, thousand, million, double, triple, nought,
    point, plus, dash`),
  machinePhrases: phrases(`
    leave a message, leave your message, leave me a message, after the tone, after the beep,
    at the tone, is not available, are not available, can't come to the phone,
    cannot come to the phone, unable to take your call, can't take your call,
    cannot take your call, voicemail, voice mail, mailbox, you have reached, you've reached,
    record your message, the person you are calling, the number you have dialed,
    the number you have dialled, answering machine, press one, press 1`),
  holdPhrases: phrases(`
    please hold, hold the line, please stay on the line, please wait while,
    your call is important, you are in the queue, all our agents, next available`),
  greetings: phrases(`
    hello, hi, hey, good morning, good afternoon, good evening, good day, hello there, hi there,
    hey there, yes, yes hello, anyone there, is anybody there, is anyone there, how are you,
    can you hear me`),
  shortAnswers: phrases(`
    yes, yeah, yep, no, nope, sure, of course, ok, okay, correct, that's right, right,
    not really, i do, i don't, i am, i'm not, absolutely, definitely, please, yes please,
    no thanks, no thank you, thanks, thank you, exactly, fine, that's fine, go ahead, that's all,
    nothing else, maybe, never`),
  yesNoStarts: phrases(`
    is, are, am, was, were, do, does, did, have, has, had, can, could, will, would, shall,
    should, may, is that, right, correct, ok, okay`),
  questionStarts: phrases(`
    what, where, when, who, how, why, which, is, are, do, does, did, can, could, will, would,
    may, should, have you, has`),
  dictation: {
    phone: phrases(`
      phone number, telephone number, mobile number, cell number, contact number, callback number,
      number to reach you, your number`),
    card: phrases('card number, credit card, debit card, account number, iban'),
    code: phrases(`
      code, pin, order number, confirmation number, reference number, booking number,
      reservation number, customer number, member number, policy number, zip, postcode,
      postal code, tracking number, serial number, social security`),
    email: phrases('email, e-mail, email address'),
    birth: phrases('date of birth, birth date, birthday, born'),
    date: phrases('what date, which date, which day'),
    spelling: phrases('spell'),
    asking: phrases(`
      what, which, could, can, may, please, give, tell, need, provide, read, say, spell,
      repeat, enter`),
  },
  announcing: phrases(`
    call me, call me back, call back, reach me, ring me, text me, phone me, my number, my number is,
    the number is, my cell, my mobile, my phone`),
  emailAt: phrases('at'),
  emailDot: phrases('dot, point'),
  months: phrases(`
    january, february, march, april, may, june, july, august, september, october, november,
    december`),
  lines: {
    apology: 'Sorry, something went wrong on my side. Could you say that again?',
    filler: 'One moment, please.',
    notUnderstood: 'Sorry, I did not catch that.',
    technicalFarewell: 'Sorry, I am having technical trouble and have to end the call. Goodbye.',
    transferring: "I'll put you through. One moment, please.",
    stopWaiting: 'I am still trying to reach someone. Say stop if you would rather not wait.',
    callerWaiting: 'A caller is on the line for you.',
    callerLeft: 'The caller has hung up. Goodbye.',
    voicemail: 'Sorry to have missed you. We will try again later. Goodbye.',
    backchannels: ['Mm-hm.', 'Uh-huh.'],
    idle: ['Are you still there?', 'I am still here if you need anything.', 'Can you hear me?'],
    acknowledgements: ['Sure.', 'Okay.', 'Of course.'],
  },
};
