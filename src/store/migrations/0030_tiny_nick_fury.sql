CREATE TABLE "call_keys" (
	"call_id" text collate "C" PRIMARY KEY NOT NULL,
	"sealed_key" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "call_originals" (
	"call_id" text collate "C" NOT NULL,
	"seq" integer NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "call_originals_call_id_seq_pk" PRIMARY KEY("call_id","seq")
);
--> statement-breakpoint
ALTER TABLE "call_keys" ADD CONSTRAINT "call_keys_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_originals" ADD CONSTRAINT "call_originals_call_id_calls_id_fk" FOREIGN KEY ("call_id") REFERENCES "public"."calls"("id") ON DELETE cascade ON UPDATE no action;