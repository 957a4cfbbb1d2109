/**
 * Area codes of the states of the USA whose law asks for the consent of all parties, at least in some cases (Reporters
 * Committee for Freedom of the Press, Reporter's Recording Guide): California, Connecticut, Delaware, Florida,
 * Illinois, Maryland, Massachusetts, Michigan, Montana, Nevada, New Hampshire, Oregon, Pennsylvania, Washington. The
 * area codes are those of libphonenumber's geographical data.
 */
const ALL_PARTY_AREAS: ReadonlySet<string> = new Set(
  `209 213 279 310 323 341 350 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760
  805 818 820 831 840 858 909 916 925 949 951 203 475 860 959 302 239 305 321 324 352 386 407 448 561 645 656 689 727
  728 754 772 786 813 850 863 904 941 954 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 872 227 240 301
  410 443 667 339 351 413 508 617 774 781 857 978 231 248 269 313 517 586 616 734 810 906 947 989 406 702 725 775 603
  458 503 541 971 215 223 267 272 412 445 484 570 582 610 717 724 814 835 878 206 253 360 425 509 564`.split(
    /\s+/,
  ),
);

/** Area codes of the North American plan that belong to the states of the USA; others are of other countries. */
const ONE_PARTY_AREAS: ReadonlySet<string> = new Set(
  `201 609 732 856 862 908 973 551 640 848 202 771 205 251 256 334 659 938 207 208 986 210 214 254 281 325 346 361 409
  430 432 469 512 682 713 726 737 806 817 830 832 903 915 936 940 945 956 972 979 212 315 329 332 347 363 516 518 585
  607 631 646 680 716 718 838 845 914 917 929 934 216 220 234 283 326 330 380 419 440 513 567 614 740 937 218 320 507
  612 651 763 952 219 260 317 463 574 765 812 930 225 318 337 504 985 228 601 662 769 229 404 470 478 678 706 762 770
  912 943 235 314 417 557 573 636 660 816 975 252 336 472 704 743 828 910 919 980 984 262 274 353 414 534 608 715 920
  270 364 502 606 859 276 434 540 571 686 703 757 804 826 948 303 719 720 748 970 983 304 681 307 308 402 531 316 620
  785 913 319 515 563 641 712 327 479 501 870 385 435 801 401 405 539 572 580 918 423 615 629 731 865 901 931 480 520
  602 623 928 505 575 605 701 802 803 821 839 843 854 864 808 907`.split(/\s+/),
);

/**
 * True unless a telephone number is known to be where one party to a call may record it without telling the other.
 * Numbers of other countries count as if they had to be told: most laws ask for it, of businesses in any case.
 */
export function mustBeTold(number: string | null): boolean {
  const area = /^\+1(\d{3})\d{7}$/.exec(number ?? '')?.[1];
  return area === undefined || ALL_PARTY_AREAS.has(area) || !ONE_PARTY_AREAS.has(area);
}
