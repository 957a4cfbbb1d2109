import { toCardinal } from 'n2words/es-ES';
import { list, type RedactionWords } from './language-words.ts';

export const spanish: RedactionWords = {
  cardinal: (n) => toCardinal(n),
  otherNumbers: { un: '1', una: '1', ciento: '100', setecientos: '700', novecientos: '900' },
  repeats: { doble: 2, triple: 3 },
  fillers: list(
    'y, e, luego, despues, eh, em, guion, espacio, punto, vale, bueno, perdon, otra vez',
  ),
  plus: ['mas'],
  magnitudes: list('mil, millon, millones'),
  units: list(
    'euro, euros, dolar, dolares, peso, pesos, centimo, centimos, por ciento, minuto, minutos, hora, horas, dia, dias, semana, semanas, mes, meses, ano, anos, kilometro, kilometros, kilo, kilos, personas, veces, grados, puntos, unidades, eur, usd, de la manana, de la tarde',
  ),
  countries: ['ES', 'MX', 'AR'],
  cues: {
    card: list('tarjeta, credito, debito, visa, mastercard, numero de tarjeta'),
    'security-code': list('cvv, cvc, codigo de seguridad'),
    'bank-account': list('cuenta, numero de cuenta, iban, banco, cuenta bancaria'),
    'identity-number': list(
      'dni, nie, nif, identidad, documento, pasaporte, seguridad social, carnet, numero de afiliacion',
    ),
    phone: list(
      'telefono, movil, celular, llamar, llamarme, llameme, llamame, mi numero es, whatsapp, fijo, contacto',
    ),
    other: list(
      'pedido, numero de pedido, seguimiento, referencia, ticket, factura, confirmacion, reserva, caso, modelo, serie, pieza, vuelo, habitacion, articulo, extension, codigo, version, producto, paquete, poliza, puerta, pagina, linea, cuesta, cuestan, precio, total, pagar, pague, cobrado, expediente, incidencia',
    ),
  },
  birth: list('naci, nacido, nacida, nacimiento, fecha de nacimiento, cumpleanos, nacio'),
  months: list(
    'enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre, setiembre, octubre, noviembre, diciembre',
  ),
  datePrepositions: list('de, del, el, y, en'),
  dateNumbers: /^(?:primero|mil|dos|novecientos)$/,
  email: {
    at: list('arroba'),
    dot: list('punto'),
    signs: list('guion, guion bajo, barra baja, menos, mas'),
    cues: list('correo, email, mail, electronico, es, direccion'),
  },
  nameCues: list(
    'me llamo, mi nombre es, mi nombre completo es, soy, le habla, habla, de parte de, a nombre de, al nombre de, mi apellido es, mis apellidos son, mi mujer es, mi marido es, mi hijo es, mi hija es, nombre es, se llama, hablo con, hablar con, pregunte por',
  ),
  weakNameCues: list('soy, habla'),
  sureHonorifics: list('senor, senora, senorita, sr, sra'),
  honorifics: list('senor, senora, senorita, don, dona, doctor, doctora, sr, sra, dr, dra'),
  notNames: list(
    'el, la, los, las, un, una, mi, su, tu, lo, le, se, no, si, que, quien, como, cuando, donde, por, para, con, sin, de, del, en, a, al, y, o, pero, muy, mas, ya, aun, solo, tambien, bien, mal, aqui, ahi, alli, cliente, nuevo, nueva, vecino, paciente, interesado, interesada, yo, usted, ella, ellos, ellas, nosotros, esto, eso, este, esta, ese, esa, es, soy, era, fue, ser, estar, estoy, esta, hola, gracias, buenos, buenas, dias, tardes, noches, adios, lunes, martes, miercoles, jueves, viernes, sabado, domingo, alergico, alergica, diabetico, diabetica, espanol, espanola, titular, propietario, duena, dueno, consciente, ingles, un cliente, demasiado, bastante, posible, importante, urgente, quiero, puedo, necesito, tengo, uno, dos, tres, alguien, otra, otro, madre, padre, hija, hijo',
  ),
  nameParticles: list('de, del, la, las, los, y, san, santa'),
  address: {
    cues: list(
      'vivo en, mi direccion es, la direccion es, direccion es, enviar a, envielo a, enviemelo a, domicilio es, resido en, me he mudado a',
    ),
    before: list(
      'calle, avenida, avda, plaza, paseo, camino, carretera, ronda, travesia, pasaje, callejon, glorieta, bulevar',
    ),
    after: [],
    within: list(
      'numero, piso, puerta, escalera, portal, bajo, izquierda, derecha, primero, segundo, tercero, cuarto, quinto, en, de, del, la, las, los, el, y, codigo, postal',
    ),
  },
  health: list(
    'diabet*, cancer*, tumor*, vih, sida, depresi*, ansiedad, embaraz*, aborto*, asma*, quimioterapia, insulina, epilep*, esquizofren*, bipolar, hepatitis, tubercul*, herpes, sifilis, artritis, migran*, ictus, demencia, alzheimer, parkinson, esclerosis, infarto*, hipertens*, leucemia, linfoma*, melanoma*, biopsia*, dialisis, trasplant*, antidepresiv*, antibiotic*, metadona, adict*, alcoholi*, sobredosis, suicid*, cirugia*, infertil*, anorexi*, bulimi*, autis*, tdah, covid, neumonia, alergi*, tension alta, lupus, quiste*, fibromialgia, tiroid*, anemia, eczema, psoriasis, osteoporosis, endometriosis, crohn, celiac*, insomnio, angina*, trombosis, marcapasos, histerectomia, vasectomia, cesarea, its, ets',
  ),
};
