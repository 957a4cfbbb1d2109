import { type LanguageData, phrases } from './language-data.ts';

export const italian: LanguageData = {
  tag: 'it',
  backchannels: phrases(`
    sì, si, sì sì, ok, okay, va bene, bene, benissimo, certo, certamente, chiaro, ho capito,
    capito, capisco, vedo, ah, ah sì, ah ok, ah ecco, ah va bene, oh, mh, mhm, mm, mmh, uhm, aha,
    eh sì, eh già, già, giusto, esatto, esattamente, proprio così, infatti, perfetto, ottimo,
    bello, bellissimo, bravo, brava, grande, d'accordo, come no, ecco, davvero, ma dai, ma va,
    ma pensa, non mi dica, non ci credo, nessun problema, non c'è problema, non male, figurati,
    si figuri, immagino, lo so, grazie, grazie mille, tante grazie, assolutamente, sicuramente,
    sicuro, senz'altro, senza dubbio, è vero, vero, ha ragione, buona idea, mi sembra giusto,
    molto bene, va benissimo`),
  stopPhrases: phrases(`
    ferma, fermo, si fermi, fermati, stop, aspetta, aspetti, un momento, un momentino, un attimo,
    un attimino, un secondo, un minuto, un istante, solo un momento, no, no no, scusa, scusi,
    mi scusi, scusami, perdono, pardon, permesso, in realtà, senta, senti, ascolti, ascolta,
    silenzio, basta, alt, annulla, annulli, pronto, piano, più piano, come scusi, zitto, zitta,
    posso, mi lasci parlare, lasciami parlare, una domanda, una cosa`),
  refusals: phrases(`
    non, niente, nulla, mai, no, ma, però, sbagliato, sbagliata, errore, altro, altra, altri,
    altre, diverso, diversa, invece, di nuovo, ancora, ripeta, ripeti, ripetere, prossimo, avanti,
    indietro, aiuto, qualcuno, persona, umano, operatore, operatrice, più forte, più lento,
    veloce, lasci, lascia, dimentichi, cambi, cambiare, voglio, vorrei, mi serve, ho bisogno, ho,
    mi dia, mi dica, può, potrebbe, posso, mio, mia, miei, mie, per favore, arrivederci, ciao, e,
    o, se, perché, quando`),
  stopStems: phrases(`
    ferm, aspett, attend, interromp, scus, perdon, silenz, annull, ascolt, smett, basta, moment,
    attim, second, minut, istant, sufficien, zitt`),
  hesitations: phrases('ehm, eh, uhm, mh, boh, ehh, mmm'),
  markers: phrases(
    'allora, cioè, tipo, insomma, dunque, beh, be, praticamente, diciamo, sai, ecco, quindi',
  ),
  timeouts: phrases(`
    vediamo, mi faccia vedere, fammi vedere, mi faccia pensare, fammi pensare, come si dice,
    come dire, un attimo, un attimino, un momento, un secondo, aspetti, aspetta, voglio dire,
    no scusi, no scusa, scusi no, anzi, anzi no, o meglio`),
  openEnders: phrases(`
    e, ed, o, oppure, ma, però, perché, che, se, quando, come, anche se, mentre, dove, il, lo, la,
    i, gli, le, l, un, uno, una, mio, mia, miei, mie, suo, sua, suoi, sue, nostro, nostra, di,
    del, dello, della, dei, degli, delle, a, al, allo, alla, ai, agli, alle, da, dal, dalla, in,
    nel, nella, nei, con, senza, per, su, sul, sulla, tra, fra, io, lui, lei, sono, è, sto,
    voglio, vorrei, mi serve, ho bisogno di, ho, può, potrebbe, posso, mi chiamo, il mio nome è,
    molto, anche, forse, numero, questo, questa, quel, quella`),
  mayClose: phrases(`
    io, lui, lei, sono, è, voglio, può, posso, ho, anche, forse, molto, numero, mio, mia, suo, sua,
    questo, questa, quella, uno, una, come, su`),
  digits: phrases('zero, uno, una, due, tre, quattro, cinque, sei, sette, otto, nove'),
  phoneDigits: 10,
  numbers: phrases(`
    zero, uno, due, tre, quattro, cinque, sei, sette, otto, nove, dieci, undici, dodici, tredici,
    quattordici, quindici, sedici, diciassette, diciotto, diciannove, venti, ventuno, trenta,
    quaranta, cinquanta, sessanta, settanta, ottanta, novanta, cento, mille, mila, milione, doppio,
    virgola, più, trattino, una`),
  machinePhrases: phrases(`
    lasciate un messaggio, lasci un messaggio, lascia un messaggio, dopo il segnale acustico,
    dopo il segnale, dopo il bip, segreteria telefonica, segreteria, casella vocale,
    non è raggiungibile, non è disponibile, non è al momento, avete chiamato, premere uno, prema 1,
    digiti 1, il cliente da lei chiamato`),
  holdPhrases: phrases(`
    resti in linea, rimanga in linea, restate in linea, attenda in linea, non riagganci,
    la preghiamo di attendere, prego attendere, la sua chiamata è importante, i nostri operatori`),
  greetings: phrases(`
    pronto, ciao, salve, buongiorno, buonasera, buon pomeriggio, buona sera, buon giorno, sì,
    sì pronto, c'è qualcuno, mi sente`),
  shortAnswers: phrases(`
    sì, si, no, certo, ok, va bene, esatto, giusto, corretto, d'accordo, sì grazie, no grazie,
    grazie, per favore, sì per favore, forse, mai, non ancora, è tutto, basta così, nient'altro,
    perfetto, volentieri, assolutamente, certamente`),
  yesNoStarts: phrases(`
    è, sono, ha, hai, può, posso, potrebbe, vuole, vuoi, desidera, preferisce, le serve, c'è,
    ci sono, le piacerebbe, ha ricevuto, vero, giusto, corretto, va bene, d'accordo`),
  questionStarts: phrases(`
    che, che cosa, cosa, chi, dove, quando, come, perché, quale, quali, quanto, quanta, quanti,
    quante, è, ha, può, posso, potrebbe, c'è, ci sono, a che`),
  dictation: {
    phone: phrases(`
      numero di telefono, telefono, cellulare, numero di cellulare, il suo numero, suo numero,
      recapito`),
    card: phrases(
      'numero della carta, numero di carta, carta di credito, carta di debito, numero di conto, iban',
    ),
    code: phrases(`
      codice, cap, codice postale, numero d'ordine, numero dell'ordine, numero cliente,
      numero di prenotazione, codice fiscale, riferimento, pin, numero di pratica`),
    email: phrases('email, e-mail, mail, posta elettronica, indirizzo email'),
    birth: phrases('data di nascita, nato, nata'),
    date: phrases('che data, quale data, che giorno, quale giorno'),
    spelling: phrases('lettera per lettera, compitare, spelling'),
    asking: phrases(`
      qual, quale, che, può, potrebbe, dica, dirmi, mi dica, dia, darmi, mi dia, indichi, fornire,
      per favore, serve, ripetere, ripeta, spelling, lettera per lettera`),
  },
  announcing: phrases(`
    chiamarmi, richiamarmi, mi chiami, mi richiami, contattarmi, trovarmi, il mio numero,
    mio numero, il numero è, il mio cellulare, il mio telefono`),
  emailAt: phrases('chiocciola, at'),
  emailDot: phrases('punto'),
  months: phrases(`
    gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, novembre,
    dicembre`),
  takenOver: 'Scusi, la linea è caduta per un momento.',
  lines: {
    apology: 'Mi scusi, c’è stato un problema da parte mia. Può ripetere?',
    filler: 'Un momento, per favore.',
    notUnderstood: 'Mi scusi, non ho capito.',
    technicalFarewell: 'Mi scusi, ho un problema tecnico e devo chiudere la chiamata. Arrivederci.',
    transferring: 'La metto in contatto. Un momento, per favore.',
    stopWaiting: 'Sto ancora cercando qualcuno. Dica stop se preferisce non aspettare.',
    callerWaiting: 'C’è una chiamata per lei.',
    callerLeft: 'La persona ha riattaccato. Arrivederci.',
    voicemail: 'Ci dispiace di non averla trovata. Richiameremo più tardi. Arrivederci.',
    backchannels: ['Mhm.', 'Sì.'],
    idle: ['È ancora lì?', 'Sono ancora qui, se le serve qualcosa.', 'Mi sente?'],
    acknowledgements: ['Certo.', 'Va bene.', 'Sì, mi dica.'],
  },
};
