/** The FAQ of a made-up shop, and how callers put its questions, as a recogniser writes them. */
export const BICYCLE_SHOP: readonly {
  readonly question: string;
  readonly answer: string;
  readonly askedAs: readonly string[];
}[] = [
  {
    question: 'What are your opening hours?',
    answer: 'We are open Monday to Friday from nine to six, and on Saturday from ten to four.',
    askedAs: [
      'what are your opening hours',
      'um when do you open',
      'whats the opening hour',
      'hello can you tell me your opening hours please',
      'what time are you open',
    ],
  },
  {
    question: 'Are you open on Sundays?',
    answer: 'No, we are closed on Sundays and public holidays.',
    askedAs: ['are you open sunday', 'do you open on a sunday'],
  },
  {
    question: 'Where are you located?',
    answer: 'Our shop is at 12 Market Street, next to the town hall.',
    askedAs: ['where is your shop', 'whats your address', 'where are you'],
  },
  {
    question: 'Do you have parking?',
    answer: 'Yes, there is free parking behind the building.',
    askedAs: ['is there parking', 'can i park near you', 'where can i park my car'],
  },
  {
    question: 'How do I return an item?',
    answer: 'Bring it back within thirty days with the receipt.',
    askedAs: ['i want to return an item', 'how can i return something'],
  },
  {
    question: 'How long does delivery take?',
    answer: 'Standard delivery takes three to five working days.',
    askedAs: ['how long will the delivery take', 'how long does it take to deliver'],
  },
  {
    question: 'How much does delivery cost?',
    answer: 'Delivery is free above fifty euros, else it costs four ninety.',
    askedAs: ['what does delivery cost', 'how much is delivery', 'price of delivery'],
  },
  {
    question: 'What payment methods do you accept?',
    answer: 'We accept cash, all major credit cards and PayPal.',
    askedAs: ['can i pay by credit card', 'can i pay with paypal', 'how can i pay'],
  },
  {
    question: 'Can I cancel my order?',
    answer: 'Yes, as long as it has not been shipped.',
    askedAs: ['i would like to cancel an order', 'can i still cancel an order'],
  },
  {
    question: 'How do I reset my password?',
    answer: 'Use the forgotten password link on the sign-in page.',
    askedAs: ['i forgot my password', 'how to reset the password'],
  },
  {
    question: 'Do you ship abroad?',
    answer: 'We ship to all countries of the European Union.',
    askedAs: ['do you ship to other countries', 'shipping abroad'],
  },
  {
    question: 'How can I track my parcel?',
    answer: 'The shipping e-mail contains a tracking link.',
    askedAs: ['track my parcel', 'can i track a parcel'],
  },
  {
    question: 'Do you offer gift cards?',
    answer: 'Yes, in our shop and online, from ten euros.',
    askedAs: ['do you have gift cards', 'i want a gift card'],
  },
  {
    question: 'Who are you?',
    answer: 'I am the assistant of the Green Bicycle shop.',
    askedAs: ['who are you', 'hello who are you'],
  },
  {
    question: 'How much is a bicycle service?',
    answer: 'A basic service is forty-nine euros.',
    askedAs: ['how much does a bicycle service cost', 'what is the price of a service'],
  },
  {
    question: 'Do you sell electric bikes?',
    answer: 'Yes, from five brands.',
    askedAs: ['do you have electric bikes', 'electric bikes'],
  },
];
