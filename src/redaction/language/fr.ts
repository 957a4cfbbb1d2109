import { toCardinal } from 'n2words/fr-FR';
import { list, type RedactionWords } from './language-words.ts';

export const french: RedactionWords = {
  cardinal: (n) => toCardinal(n),
  otherNumbers: {
    une: '1',
    septante: '70',
    huitante: '80',
    octante: '80',
    nonante: '90',
    'quatre vingt': '80',
    'vingt et une': '21',
    cents: '00',
  },
  repeats: { double: 2, triple: 3 },
  fillers: list(
    'et, puis, ensuite, euh, heu, tiret, espace, point, alors, pardon, encore, d accord',
  ),
  plus: ['plus'],
  magnitudes: list('mille, million, millions'),
  units: list(
    'euro, euros, dollar, dollars, centime, centimes, pour cent, minute, minutes, heure, heures, jour, jours, semaine, semaines, mois, an, ans, kilometre, kilometres, kilo, kilos, personnes, fois, degres, points, unites, eur, h',
  ),
  countries: ['FR', 'BE'],
  cues: {
    card: list('carte, credit, bleue, visa, mastercard, bancaire, numero de carte'),
    'security-code': list('cvv, cvc, cryptogramme, code de securite'),
    'bank-account': list('compte, numero de compte, iban, rib, banque'),
    'identity-number': list(
      'securite sociale, secu, identite, numero d identite, passeport, nir, assurance maladie',
    ),
    phone: list(
      'telephone, portable, mobile, rappeler, rappelez, appeler, appelez, joindre, mon numero est, fixe, whatsapp',
    ),
    other: list(
      'commande, numero de commande, suivi, reference, ticket, facture, confirmation, reservation, dossier, modele, serie, piece, vol, chambre, article, poste, code, version, produit, colis, contrat, porte, page, ligne, coute, coutent, prix, total, payer, paye',
    ),
  },
  birth: list(
    'ne le, nee le, suis ne, suis nee, naissance, date de naissance, anniversaire, ne en, nee en',
  ),
  months: list(
    'janvier, fevrier, mars, avril, mai, juin, juillet, aout, septembre, octobre, novembre, decembre',
  ),
  datePrepositions: list('le, de, du, en, et'),
  dateNumbers: /^(?:premier|mille|mil|cent|cents|er)$/,
  email: {
    at: list('arobase, at, chez'),
    dot: list('point'),
    signs: list('tiret, tiret bas, underscore, moins, plus'),
    cues: list('email, e-mail, mail, mel, courriel, adresse, est'),
  },
  nameCues: list(
    "je m'appelle, mon nom est, mon nom complet est, je suis, c'est, ici, au nom de, de la part de, mon prenom est, mon nom de famille est, ma femme est, mon mari est, mon fils est, ma fille est, il s'appelle, elle s'appelle, nom est, parler a, parler avec, je me nomme",
  ),
  weakNameCues: list("je suis, c'est, ici"),
  sureHonorifics: list('monsieur, madame, mademoiselle, mme, mlle'),
  honorifics: list('monsieur, madame, mademoiselle, docteur, maitre, mme, mlle, dr, professeur'),
  notNames: list(
    "le, la, les, un, une, des, du, de, mon, ma, mes, votre, vos, son, sa, ses, ce, cette, ca, cela, ne, pas, oui, non, que, qui, quoi, comment, quand, ou, pour, par, avec, sans, dans, sur, sous, et, mais, tres, plus, moins, bien, mal, ici, deja, encore, client, cliente, nouveau, nouvelle, patient, patiente, je, tu, il, elle, nous, vous, ils, elles, est, suis, es, sont, etre, etait, desole, desolee, content, contente, sur, sure, interesse, interessee, bonjour, bonsoir, merci, lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche, francais, francaise, allergique, diabetique, enceinte, malade, a, au, aux, en, y, bon, bonne, possible, important, urgent, tout, trop, assez, juste, peut-etre, quelqu'un, titulaire, proprietaire, pret, prete, votre, quelle, quel, avant, apres, demain, aujourd'hui, hier, ne, nee, docteur, pas",
  ),
  nameParticles: list("de, du, des, la, le, van, von, d'"),
  address: {
    cues: list(
      "j'habite au, j'habite, mon adresse est, l'adresse est, adresse est, adresse c'est, envoyer au, livrer au, domicilie au, je demeure au, je vis au",
    ),
    before: list(
      'rue, avenue, boulevard, place, chemin, impasse, allee, quai, cours, route, square, passage, faubourg, residence',
    ),
    after: [],
    within: list(
      'bis, ter, etage, appartement, batiment, escalier, numero, a, de, du, des, la, le, les, l, d, saint, sainte, code, postal, et',
    ),
  },
  health: list(
    'diabet*, cancer*, tumeur*, vih, sida, depressi*, anxiete, enceinte, grossesse, avortement*, ivg, fausse couche, asthm*, chimiotherapie, chimio, insuline, epilep*, schizophren*, bipolaire, hepatite*, tubercul*, herpes, syphilis, arthrite, arthrose, migraine*, avc, demence, alzheimer, parkinson, sclerose, infarctus, hypertens*, leucemie, lymphome*, melanome*, biopsie*, dialyse, greffe*, antidepresseur*, antibiotique*, methadone, addict*, alcooli*, overdose, suicid*, chirurgie, infertil*, anorexi*, boulimi*, autis*, tdah, covid, pneumonie, allergi*, lupus, kyste*, fibromyalgie, thyroid*, anemie, eczema, psoriasis, osteoporose, endometriose, crohn, coeliaque*, insomnie*, angine de poitrine, thrombose, pacemaker, hysterectomie, vasectomie, cesarienne, fiv, ist, mst',
  ),
};
