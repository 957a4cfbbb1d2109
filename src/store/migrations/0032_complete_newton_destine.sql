CREATE TABLE "do_not_call" (
	"team_id" text collate "C" NOT NULL,
	"number" text NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"source" text NOT NULL,
	"call_id" text collate "C",
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "do_not_call_team_id_number_pk" PRIMARY KEY("team_id","number")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "consent" jsonb;--> statement-breakpoint
ALTER TABLE "do_not_call" ADD CONSTRAINT "do_not_call_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;