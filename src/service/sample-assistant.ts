/**
 * The assistant that the first start creates: a guide to a famous speech. The recordings in `fixtures/audio` ask its
 * questions.
 */
export const sampleAssistant = {
  name: 'Speech guide',
  welcomeMessage:
    'Hello, I am the speech guide. Ask me about President Kennedy and his inaugural address.',
  assistantSystemPrompt:
    'You are the guide of a small museum about the inaugural address of John F. Kennedy. ' +
    'Answer from the knowledge base, in one or two short sentences, as one speaks.',
  assistantPredefinedTools: { knowledgeBase: true, endCall: true },
  endCallMessage: 'Goodbye, and thank you for calling.',
} as const;

export const sampleKnowledge = {
  title: 'The inaugural address',
  description: 'Questions that visitors ask about the inaugural address of John F. Kennedy',
  faq: [
    {
      question: 'What can your country do for you?',
      answer:
        'That is the wrong way round, as the president saw it: ask not what your country can do for you.',
      category: 'words',
    },
    {
      question: 'What your country can do for you?',
      answer:
        'Those are the words that Kennedy asked his fellow Americans not to begin with. What counts is what you can do.',
      category: 'words',
    },
    {
      question: 'Ask what you can do for your country.',
      answer:
        'That is the most famous line of the address. It closes the sentence that begins: ask not.',
      category: 'words',
    },
    {
      question: 'Who gave the speech?',
      answer: 'John F. Kennedy gave it, the thirty fifth president of the United States.',
      category: 'people',
    },
    {
      question: 'Who wrote the speech?',
      answer: 'Kennedy wrote it together with his adviser Ted Sorensen.',
      category: 'people',
    },
    {
      question: 'When was the speech given?',
      answer: 'On the twentieth of January, nineteen sixty one.',
      category: 'history',
    },
    {
      question: 'Where was the speech given?',
      answer: 'At the east front of the Capitol in Washington.',
      category: 'history',
    },
    {
      question: 'How long is the speech?',
      answer:
        'It is one of the shortest: fewer than fourteen hundred words, about fourteen minutes.',
      category: 'history',
    },
    {
      question: 'What are your opening hours?',
      answer: 'The museum is open every day from nine in the morning to five in the afternoon.',
      category: 'visit',
    },
    {
      question: 'How much is a ticket?',
      answer: 'Admission is free.',
      category: 'visit',
    },
  ],
} as const;
