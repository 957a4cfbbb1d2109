import { type LanguageData, phrases } from './language-data.ts';

export const spanish: LanguageData = {
  tag: 'es',
  backchannels: phrases(`
    sí, si, sí sí, vale, ok, okay, ajá, aja, mhm, mm-hm, mm, hm, hmm, ah, ya, ya veo, entiendo,
    claro, de acuerdo, bien, muy bien, perfecto, exacto, genial, gracias, bueno, por supuesto,
    de verdad, vale vale, oh, ah sí, ah claro, ah ya, eso es, eso, así es, exactamente, correcto,
    cierto, es verdad, excelente, estupendo, fenomenal, fantástico, maravilloso, interesante,
    absolutamente, desde luego, sin problema, no hay problema, me parece bien, suena bien,
    tiene sentido, comprendo, lo entiendo, entendido, ya entiendo, ya lo veo, muchas gracias,
    qué bien, bien bien, claro que sí, sí claro, okey, dale, por supuesto que sí, buena idea,
    está bien, mhm sí, no me digas, no está mal, nada mal, no puede ser, no me extraña, cómo no,
    ya lo creo, no pasa nada, y tanto, ya ya, no me diga, no me lo creo, no lo sabía, qué bueno,
    qué buena, qué interesante, qué maravilla, qué lástima, qué pena, qué curioso, qué raro,
    qué alegría, qué alivio, qué suerte, qué rico, qué horror, qué amable, qué práctico,
    mira qué bien, ya lo sé, claro que no`),
  stopPhrases: phrases(`
    para, pare, espera, espere, un momento, un segundo, no, perdón, perdone, disculpe, en realidad,
    escuche, escucha, silencio, basta, alto, cancela, cancele, hola, oiga, oye, stop, ya basta,
    basta ya, ya vale, vale ya, alto ahí, escúcheme, una cosa, una pregunta, más lento, corta,
    corte, frene, frena, deténgase, detente, cállese, calla, momento, momentito, un momentito,
    un segundito, espérese, espérate, aguarde, aguarda, suficiente, pausa, déjeme, permítame,
    permiso, más despacio, un minuto, un minutito, un instante, perdona, disculpa, perdóneme,
    discúlpeme, señor, señora, señorita, espera espera, tranquilo, tranquila, quieto, vamos a ver,
    ey, aguanta, olvídelo, olvídalo, olvide eso, da igual, qué más da, sáltese, sáltate, salte eso,
    vuelva atrás, vuelve atrás, retroceda, al grano, vaya al grano, resuma, resume, tiempo`),
  refusals: phrases(`
    no, nada, nunca, jamás, tampoco, pero, error, equivocado, equivocada, otro, otra, otros,
    otras, sino, repita, repite, repetir, otra vez, siguiente, atrás, volver, ayuda, ayúdeme,
    alguien, persona, humano, agente, operador, más alto, más despacio, despacio, rápido, más corto,
    olvide, olvídelo, cambie, cambiar, deje, déjelo, calle, cállese, pare, quiero, quisiera,
    necesito, me gustaría, tengo, deme, dígame, puede, podría, puedo, mi, mis, por favor, adiós,
    demasiado, muy largo, y, o, porque, si, cuando, para`),
  stopStems: phrases(
    'deten, detén, para, pare, pára, páre, esper, espér, aguard, aguant, call, cáll, cort, córt, dej, déj, permit, permít, interrump, escuch, escúch, perd, disculp, discúlp, bast, silenc, moment, segund, minut, instant, cancel, sufici, fren',
  ),
  hesitations: phrases('eh, em, mm, hm'),
  markers: phrases('este, pues, bueno, o sea, a ver, digamos, entonces, es que'),
  timeouts: phrases(`
    un momento, un segundo, espere, espera, a ver, déjeme ver, déjame ver, déjeme pensar,
    déjame pensar, cómo se dice, cómo decirlo, quiero decir, no perdón, perdón no, mejor dicho,
    o más bien, déjeme mirar, déjeme buscar`),
  openEnders: phrases(`
    y, e, pero, o, porque, que, si, cuando, como, aunque, mientras, donde, pues, el, la, los,
    las, un, una, unos, unas, lo, mi, mis, tu, su, sus, nuestro, nuestra, de, del, a, al, en,
    con, sin, por, para, desde, hasta, sobre, entre, hacia, yo, soy, es, estoy, quiero, quisiera,
    necesito, me gustaría, tengo, puede, podría, puedo, me llamo, mi nombre es, muy, también,
    quizás, número`),
  mayClose: phrases(`
    también, quizás, yo, es, soy, estoy, quiero, tengo, puede, podría, puedo, necesito, una,
    quisiera,
    número`),
  digits: phrases('cero, uno, una, dos, tres, cuatro, cinco, seis, siete, ocho, nueve'),
  phoneDigits: 9,
  numbers: phrases(`
    cero, uno, una, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, trece,
    catorce, quince, dieciséis, diecisiete, dieciocho, diecinueve, veinte, veintiuno, treinta,
    cuarenta, cincuenta, sesenta, setenta, ochenta, noventa, cien, ciento, mil, millón, doble,
    coma, más, guion`),
  machinePhrases: phrases(`
    deje un mensaje, deje su mensaje, después de la señal, después del tono, al oír la señal,
    no está disponible, no se encuentra disponible, buzón de voz, contestador, ha llamado al,
    el número marcado, pulse uno, pulse 1, marque uno`),
  holdPhrases: phrases(`
    no cuelgue, permanezca en línea, manténgase en línea, por favor espere, espere en línea,
    su llamada es importante, nuestros agentes`),
  greetings: phrases(`
    hola, buenos días, buenas tardes, buenas noches, buenas, diga, dígame, aló, sí, sí dígame,
    hay alguien, me oye`),
  shortAnswers: phrases(`
    sí, si, no, claro, vale, de acuerdo, correcto, exacto, por supuesto, sí por favor,
    no gracias, gracias, por favor, quizás, nunca, eso es, eso es todo, nada más, perfecto,
    está bien`),
  yesNoStarts: phrases(`
    es, son, está, están, tiene, tienes, puede, puedo, podría, quiere, desea, le gustaría,
    necesita, hay, verdad, correcto, de acuerdo, le parece`),
  questionStarts: phrases(`
    qué, dónde, cuándo, quién, cómo, por qué, cuál, cuáles, cuánto, cuánta, cuántos, es, tiene,
    tienen, puede, puedo, podría, hay, a qué`),
  dictation: {
    phone: phrases('número de teléfono, teléfono, número de móvil, su número, número de contacto'),
    card: phrases(
      'número de tarjeta, tarjeta de crédito, tarjeta de débito, número de cuenta, iban',
    ),
    code: phrases(`
      código, código postal, número de pedido, número de cliente, número de reserva, referencia,
      número de póliza, dni, pin`),
    email: phrases('email, e-mail, correo, correo electrónico'),
    birth: phrases('fecha de nacimiento, nació, nacido, nacida'),
    date: phrases('qué fecha, qué día'),
    spelling: phrases('deletrear, deletree, deletrea'),
    asking: phrases(`
      cuál, qué, puede, podría, dígame, dime, deme, dar, decirme, indíqueme, indicar, por favor,
      necesito, deletrear, deletree, repetir, repita`),
  },
  announcing: phrases(`
    llamarme, llamar, llámeme, llámame, localizarme, contactarme, mi número, el número, mi móvil,
    mi celular, mi teléfono`),
  emailAt: phrases('arroba'),
  emailDot: phrases('punto'),
  months: phrases(`
    enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, octubre, noviembre,
    diciembre`),
  takenOver: 'Perdone, se cortó la línea un momento.',
  lines: {
    apology: 'Perdón, ha habido un problema por mi parte. ¿Puede repetirlo?',
    filler: 'Un momento, por favor.',
    notUnderstood: 'Perdón, no le he entendido.',
    technicalFarewell: 'Perdón, tengo problemas técnicos y debo terminar la llamada. Adiós.',
    transferring: 'Le paso. Un momento, por favor.',
    stopWaiting: 'Sigo intentando localizar a alguien. Diga alto si prefiere no esperar.',
    callerWaiting: 'Tiene una llamada en espera.',
    callerLeft: 'La persona ha colgado. Adiós.',
    voicemail: 'Sentimos no haberle encontrado. Lo intentaremos más tarde. Adiós.',
    backchannels: ['Ajá.', 'Sí.'],
    idle: ['¿Sigue ahí?', 'Sigo aquí si necesita algo.', '¿Me oye?'],
    acknowledgements: ['Claro.', 'De acuerdo.', 'Sí, dígame.'],
  },
};
