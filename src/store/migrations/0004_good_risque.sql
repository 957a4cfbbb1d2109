CREATE TABLE "numbers" (
	"id" text collate "C" PRIMARY KEY NOT NULL,
	"team_id" text collate "C" NOT NULL,
	"number" text NOT NULL,
	"provider" text NOT NULL,
	"carrier_number_id" text,
	"label" text DEFAULT '' NOT NULL,
	"assistant_id" text collate "C",
	"inbound_enabled" boolean DEFAULT true NOT NULL,
	"outbound_enabled" boolean DEFAULT true NOT NULL,
	"credentials" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "numbers" ADD CONSTRAINT "numbers_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "numbers" ADD CONSTRAINT "numbers_assistant_id_assistants_id_fk" FOREIGN KEY ("assistant_id") REFERENCES "public"."assistants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "numbers_number" ON "numbers" USING btree ("number");--> statement-breakpoint
CREATE INDEX "numbers_team" ON "numbers" USING btree ("team_id","id");--> statement-breakpoint
CREATE INDEX "numbers_assistant" ON "numbers" USING btree ("assistant_id");